// Draws playing cards as SVG: Italian, French or Spanish suits, and the back.
//
// A card is drawn in a box of 60 by 96 units.  Everything is a path: a shape is
// a fill and the text of a path, moved and scaled to its place.  The index in
// the corner stays legible at a width of 40 pixels.
"use strict";

const cards = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const RANKS = "A234567JQK";
  const STORED = "scopa-arena-suits";

  // A circle as text of a path.
  const circle = (x, y, r) =>
    `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  const box = (x, y, width, height) => `M${x} ${y}h${width}v${height}h${-width}z`;

  // Six petals around the centre.
  const petals = (r) =>
    [0, 1, 2, 3, 4, 5]
      .map((i) => {
        const [x, y] = [Math.sin((i * Math.PI) / 3), Math.cos((i * Math.PI) / 3)];
        return circle(+(x * r).toFixed(2), +(y * r).toFixed(2), r * 0.47);
      })
      .join("");

  // The signs of suits, within 16 by 22 units around 0,0: fill and path of each shape.
  const COINS = [
    ["#8a5a00", circle(0, 0, 8)],
    ["#f2b824", circle(0, 0, 7.1)],
    ["#8a5a00", circle(0, 0, 5.2)],
    ["#ffe08a", circle(0, 0, 4.6)],
    ["#c0341d", petals(2.6)],
    ["#f2b824", circle(0, 0, 1.5)],
  ];
  const CUPS = [
    [
      "#8f1d14",
      "M-7.4-9.5H7.4C7.4-2.5 4.6.6 1.7 2.2V5.6C3.6 6.4 5.6 7.6 6 10H-6" +
        "C-5.6 7.6-3.6 6.4-1.7 5.6V2.2C-4.6.6-7.4-2.5-7.4-9.5z",
    ],
    ["#d9432f", "M-6.2-8.3H6.2C6-3 3.8-.3 0 1.3-3.8-.3-6-3-6.2-8.3z"],
    [
      "#f2b824",
      "M-7-7.2H7L6.7-4.6H-6.7zM-1.7 2.6H1.7V4.4H-1.7zM-4.6 8.6C-4 7.8-2.6 7-1.5 6.6H1.5" +
        "C2.6 7 4 7.8 4.6 8.6z",
    ],
    ["#2c6fa8", "M0-3.6L2-1.8 0 .2-2-1.8z"],
  ];
  const SWORDS = [
    ["#1f4e79", "M0-11L2.3-7.6 1.9 4H-1.9L-2.3-7.6z"],
    ["#a9cbe8", "M0-9.2L1.2-7.2.9 4H0z"],
    ["#d5e6f5", "M0-9.2L-1.2-7.2-.9 4H0z"],
    ["#8a5a00", "M-6.4 3.4C-4 4.4 4 4.4 6.4 3.4V6C4 6.6-4 6.6-6.4 6z"],
    ["#f2b824", "M-5.5 4.6C-3 5.2 3 5.2 5.5 4.6V5.3C3 5.8-3 5.8-5.5 5.3z"],
    ["#c0341d", box(-1.2, 6.2, 2.4, 2.8)],
    ["#8a5a00", circle(0, 10, 1.6)],
  ];
  const CLUBS = [
    [
      "#3d2a12",
      "M-2-10.6C-.4-12 2.4-11.4 3-9.4 4.8-9 5-6.6 3.4-6L3-2.4C4.6-2 4.6.4 2.9.9L1.7 9.8" +
        "C1.3 11.6-1.3 11.6-1.7 9.8L-2.7 4C-4.4 3.6-4.5 1.4-3 .9L-3.3-3.6" +
        "C-5-4.2-5-6.6-3.4-7.2z",
    ],
    ["#4f8a3a", "M-1.3-9.6C-.2-10.6 1.6-10.2 2-8.6L.6 9.4C.4 10.2-.4 10.2-.6 9.4L-2.2-6z"],
    ["#a8cf7d", "M-.8-8.8C-.2-9.4.4-9.3.5-8.8L-.1 7.6-1.3-5.6z"],
    [
      "#c98b3a",
      circle(2.9, -7.6, 1) + circle(-3.4, -5.4, 1) + circle(2.8, -0.8, 1) +
        circle(-2.8, 2.4, 0.9),
    ],
  ];
  const RED = "#b3261e";
  const BLACK = "#1d1d1f";
  const DIAMOND = [
    [RED, "M0-10C1.8-6 4.2-2.8 7 0 4.2 2.8 1.8 6 0 10-1.8 6-4.2 2.8-7 0-4.2-2.8-1.8-6 0-10z"],
  ];
  const HEART = [[RED, "M0 9.5C-3 5-8 2-8-3-8-8-2.2-9.6 0-5 2.2-9.6 8-8 8-3 8 2 3 5 0 9.5z"]];
  const SPADE = [
    [
      BLACK,
      "M0-10C3-5 8-2.4 8 2.4 8 7 2.6 7.6 1 4.6 1.2 7.4 2.2 8.8 3.6 10H-3.6" +
        "C-2.2 8.8-1.2 7.4-1 4.6-2.6 7.6-8 7-8 2.4-8-2.4-3-5 0-10z",
    ],
  ];
  const CLOVER = [
    [
      BLACK,
      circle(0, -5.2, 4) + circle(-4.4, 1.6, 4) + circle(4.4, 1.6, 4),
    ],
    [BLACK, box(-2, -3, 4, 6) + "M-.9 1C-.8 6-2 8.6-3.6 10H3.6C2 8.6.8 6 .9 1z"],
  ];

  // Packs: signs, ink of the index, names, and what stands in the index.
  const ITALIAN = {
    signs: { D: COINS, C: CUPS, S: SWORDS, B: CLUBS },
    inks: { D: "#7a4f00", C: "#a1231a", S: "#1b4a74", B: "#33611f" },
    cloth: { D: "#e0a21a", C: "#c93d2a", S: "#3a74ab", B: "#4f8a3a" },
    names: { D: "coins", C: "cups", S: "swords", B: "clubs" },
    ranks: ["knave", "knight", "king"],
    index: ["8", "9", "10"],
  };
  const PACKS = {
    it: ITALIAN,
    fr: {
      signs: { D: DIAMOND, C: HEART, S: SPADE, B: CLOVER },
      inks: { D: RED, C: RED, S: BLACK, B: BLACK },
      cloth: { D: "#c9473b", C: "#c9473b", S: "#3d4f6b", B: "#3d4f6b" },
      names: { D: "diamonds", C: "hearts", S: "spades", B: "clubs" },
      ranks: ["jack", "queen", "king"],
      index: ["J", "Q", "K"],
      queen: true,
    },
    es: { ...ITALIAN, index: ["S", "C", "R"], framed: true },
  };
  const CHOICES = [
    ["it", "Italian"],
    ["fr", "French"],
    ["es", "Spanish"],
  ];

  // Where the signs of 2 to 7 stand: scale, and rows of places from the left.
  const columns = (left, ...rows) =>
    rows.flatMap((y) => [
      [left, y],
      [60 - left, y],
    ]);
  const PLACES = {
    2: [1.1, [30, 30], [30, 66]],
    3: [1, [30, 21], [30, 48], [30, 75]],
    4: [1, ...columns(21, 30, 66)],
    5: [0.95, ...columns(20.5, 28, 68), [30, 48]],
    6: [0.9, ...columns(21, 24, 48, 72)],
    7: [0.8, ...columns(20, 25, 48, 71), [30, 36.5]],
  };

  const eyes = (x, y) => circle(x - 1.8, y, 0.65) + circle(x + 1.8, y, 0.65);
  const SKIN = "#f0c9a4";
  const HAIR = "#5a3a1c";
  const GOLD = "#f2b824";
  const DARK = "#2b2320";

  // A knave: cap with a feather, tunic, legs.
  const knave = (cloth) => [
    [
      DARK,
      "M25 62H29V83H22.5C22.5 81 24 80 25.4 79.6zM31 62H35L34.6 79.6" +
        "C36 80 37.5 81 37.5 83H31z",
    ],
    [cloth, "M24 38C27 36 33 36 36 38L40 64C34 67 26 67 20 64z"],
    [DARK, "M24 39L19 55 21.6 56 25.6 45zM36 39L41 52 38.6 53.4 34.4 45z"],
    [GOLD, "M21.7 53.5C27 55.6 33 55.6 38.3 53.5L38.7 56.2C33 58.4 27 58.4 21.3 56.2z"],
    [HAIR, "M24 28C23 34 24.4 37 26 38H34C35.6 37 37 34 36 28z"],
    [SKIN, circle(30, 31, 5.4)],
    [DARK, eyes(30, 31)],
    [cloth, "M23.4 28.6C24 23 36 22 37 28.6 33 27 27.6 27 23.4 28.6z"],
    [GOLD, "M36 27C38 22.6 40 20.8 43 20.4 42 23.6 40 26 37 28.2z"],
    [SKIN, circle(20.4, 56.6, 2) + circle(40, 54, 2)],
  ];

  // A knight: rider and horse.
  const knight = (cloth) => [
    [DARK, "M19 62L17.4 82H21L23.4 66zM37 62L40.6 82H37L33 66zM25 64L24 80H27L29 65z"],
    [
      "#7d5430",
      "M16 52C22 48 33 48 38 50L43 39C44 36.6 46.6 37 47 38.6L49 45.6" +
        "C49 47.4 46.6 47.6 45.8 46.2L44.4 47 41 60" +
        "C38 67 22 68 17.4 64 14.6 61 14 56 16 52z",
    ],
    [
      "#4f3319",
      "M43 37.6L44.8 34.6 45.8 38zM42.4 39L37 50 39 51.4 43.6 42zM15.8 53" +
        "C12.6 56 12.4 64 14 70 15 65 16 62 18.4 60z",
    ],
    [DARK, circle(45, 41, 0.8)],
    [cloth, "M25 36C28 34.4 32 34.4 34.6 36.2L36.6 50 33.4 65H28.6L27 53 22.6 51z"],
    [GOLD, "M24 48.6L36.4 49.6 36.6 52 24.4 51z"],
    [DARK, "M28.8 63H33.8L34 67H28.4zM34 37.4L40.4 46.4 38.6 48 33.4 43z"],
    [HAIR, "M25 27C24 32 25 35 26.4 36H33C34.6 34 35 30 34.8 27z"],
    [SKIN, circle(30, 29.6, 4.8)],
    [DARK, eyes(30.6, 29.8)],
    [cloth, "M24.2 27.6C25 22 34 20.6 36.4 27 32 25.6 28 26 24.2 27.6z"],
    [GOLD, circle(30, 22.6, 1.5)],
  ];

  // A king: crown, beard, robe, sceptre.
  const king = (cloth) => [
    [cloth, "M25 38C28 36.6 32 36.6 35 38L42.6 82C34 85 26 85 17.4 82z"],
    [GOLD, "M27.6 40H32.4L33.6 83.6C31 84 29 84 26.4 83.6z"],
    [
      "#fffaf0",
      "M23 39C27 36.4 33 36.4 37 39L38.6 46C33 49 27 49 21.4 46zM18 79" +
        "L42.1 79.4 42.6 82C34 85 26 85 17.4 82z",
    ],
    [
      DARK,
      circle(25, 44, 0.7) + circle(30, 45.4, 0.7) + circle(35, 44, 0.7) +
        circle(22, 81.4, 0.7) + circle(30, 82.6, 0.7) + circle(38, 81.4, 0.7),
    ],
    [DARK, "M22.4 46L18.4 60 21 61.4 25.4 49zM37.6 46L41.6 58 39.2 59.6 34.6 49z"],
    [SKIN, circle(30, 30.4, 5.4) + circle(20.2, 61.6, 2) + circle(40.2, 59.8, 2)],
    [DARK, eyes(30, 30.2)],
    ["#8d7458", "M24.8 31C25 36 26.6 41 30 42.4 33.4 41 35 36 35.2 31 33 33.4 27 33.4 24.8 31z"],
    ["#8a5a00", "M23.6 27.6L22.6 18.6 26.6 22.4 30 16.8 33.4 22.4 37.4 18.6 36.4 27.6z"],
    [GOLD, "M24.6 26.6L24 21.4 26.9 24.2 30 19 33.1 24.2 36 21.4 35.4 26.6z"],
    ["#c0341d", circle(30, 25, 1)],
    ["#8a5a00", "M41 50H42.4V72H41z" + circle(41.7, 48.8, 2)],
  ];

  // A queen of the French pack: long hair, a small crown, a gown.
  const queen = (cloth) => [
    [HAIR, "M23.6 28C21.6 36 22 42 23.4 46H36.6C38 42 38.4 36 36.4 28z"],
    [cloth, "M26 40C28.6 38.8 31.4 38.8 34 40L36 52 43 82C34 85 26 85 17 82L24 52z"],
    [GOLD, "M24.4 51C28 52.4 32 52.4 35.6 51L36.2 54C32 55.4 28 55.4 23.8 54z"],
    ["#fffaf0", "M27 40H33L30 47zM17.8 78.6C26 81.6 34 81.6 42.2 78.6L43 82C34 85 26 85 17 82z"],
    [SKIN, circle(30, 31, 5.2) + circle(24, 60, 1.9) + circle(36, 60, 1.9)],
    [DARK, eyes(30, 31.4)],
    [DARK, "M25.4 42L21.6 58.6 24.4 59.6 27 50zM34.6 42L38.4 58.6 35.6 59.6 33 50z"],
    [HAIR, "M24.6 31C25 25 35 25 35.4 31 33 27.6 27 27.6 24.6 31z"],
    [GOLD, "M25.4 26.6L25 21.8 27.8 24 30 20.4 32.2 24 35 21.8 34.6 26.6z"],
  ];

  const element = (name, attributes) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  const paper = () =>
    element("rect", { class: "card-paper", x: 0.75, y: 0.75, width: 58.5, height: 94.5, rx: 5 });

  // Shapes, moved to x,y and scaled.
  const put = (parent, shapes, x, y, scale) => {
    const group = element("g", { transform: `translate(${x} ${y}) scale(${scale})` });
    for (const [fill, d] of shapes) group.append(element("path", { fill, d }));
    parent.append(group);
  };

  // The rank and the sign of the suit, in the upper left corner.
  const corner = (pack, rank, suit) => {
    const at = RANKS.indexOf(rank);
    const label = at < 7 ? rank : pack.index[at - 7];
    const group = element("g", {});
    const text = element("text", {
      x: label.length > 1 ? 10.4 : 8.4,
      y: 17.5,
      class: label.length > 1 ? "card-index card-index-wide" : "card-index",
      fill: pack.inks[suit],
    });
    text.textContent = label;
    group.append(text);
    put(group, pack.signs[suit], 8.4, 26, 0.5);
    return group;
  };

  const face = (svg, rank, suit, key) => {
    const pack = PACKS[key];
    const at = RANKS.indexOf(rank);
    svg.append(paper());
    if (pack.framed) {
      // Spanish packs show the suit by the number of gaps in the frame.
      const gaps = "DCSB".indexOf(suit);
      const d = "M3.5 4V92M56.5 4V92" + framed(gaps, 3.5) + framed(gaps, 92.5);
      svg.append(element("path", { class: "card-frame", d }));
    }
    if (at === 0) put(svg, pack.signs[suit], 30, 48, 2.1);
    else if (at < 7) {
      const [scale, ...places] = PLACES[rank];
      for (const [x, y] of places) put(svg, pack.signs[suit], x, y, scale);
    } else {
      const figures = [knave, pack.queen ? queen : knight, king];
      put(svg, figures[at - 7](pack.cloth[suit]), 0.6, 1, 0.98);
      put(svg, pack.signs[suit], 47.5, 21, 0.78);
    }
    svg.append(corner(pack, rank, suit));
    const below = corner(pack, rank, suit);
    below.setAttribute("transform", "rotate(180 30 48)");
    svg.append(below);
  };

  // A line across with so many gaps.
  const framed = (gaps, y) => {
    const step = 53 / (gaps + 1);
    let d = "";
    for (let i = 0; i <= gaps; i++) {
      const left = 3.5 + i * step + (i > 0 ? 2 : 0);
      d += `M${left.toFixed(1)} ${y}H${(3.5 + (i + 1) * step - (i < gaps ? 2 : 0)).toFixed(1)}`;
    }
    return d;
  };

  const back = (svg) => {
    let d = "";
    for (let i = -96; i < 60; i += 8) d += `M${i} 0l96 96M${i} 96l96-96`;
    const inner = element("svg", { x: 5, y: 5, width: 50, height: 86, viewBox: "5 5 50 86" });
    inner.append(element("path", { class: "card-lattice", d }));
    svg.append(
      paper(),
      element("rect", { class: "card-back", x: 5, y: 5, width: 50, height: 86, rx: 2.5 }),
      inner,
    );
  };

  const known = (code) => code.length === 2 && RANKS.includes(code[0]) && "DCSB".includes(code[1]);

  const name = (code, suits = api.suits) => {
    if (!known(code)) return "hidden card";
    const pack = PACKS[suits];
    const at = RANKS.indexOf(code[0]);
    const rank = at === 0 ? "ace" : at < 7 ? code[0] : pack.ranks[at - 7];
    return `${rank} of ${pack.names[code[1]]}`;
  };

  const fill = (svg, code, shown, suits) => {
    const title = element("title", {});
    title.textContent = shown ? name(code, suits) : "hidden card";
    svg.replaceChildren(title);
    if (shown) face(svg, code[0], code[1], suits);
    else back(svg);
  };

  // A card such as `7D`; `??`, or face: false, is a back.
  const draw = (code, { face: shown = true, suits = null } = {}) => {
    const svg = element("svg", { viewBox: "0 0 60 96", class: "card", role: "img" });
    const open = shown && known(code);
    if (open && !suits) svg.dataset.card = code;
    fill(svg, code, open, suits || api.suits);
    return svg;
  };

  // Chooses the suits of all cards of the page that were drawn without a choice.
  const choose = (suits) => {
    if (!PACKS[suits]) return;
    api.suits = suits;
    try {
      localStorage.setItem(STORED, suits);
    } catch {
      // The browser keeps nothing for this page.
    }
    for (const svg of document.querySelectorAll("svg.card[data-card]"))
      fill(svg, svg.dataset.card, true, suits);
  };

  // The cards of a set such as `7D3C`, or `-`.
  const list = (set) => (set && set !== "-" ? set.match(/../g) : []);

  const api = { suits: "it", choices: CHOICES, draw, name, choose, list };
  try {
    const stored = localStorage.getItem(STORED);
    if (PACKS[stored]) api.suits = stored;
  } catch {
    // Nothing is kept.
  }
  return api;
})();
