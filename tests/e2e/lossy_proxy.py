"""Forwards connections to the Unix socket DIR/.s.PGSQL.PORT to a server.

    lossy_proxy.py DIR SERVER_DIR PORT

If the file DIR/lose exists, the next answer of the server is discarded, the
connection is closed, and the file is removed.  So the client cannot know whether
its statement was executed.
"""
import os
import socket
import sys
import threading

folder, server_folder, port = sys.argv[1:]
lose = os.path.join(folder, 'lose')


def path(in_folder):
    return os.path.join(in_folder, '.s.PGSQL.' + port)


def shut(sockets):
    for one in sockets:
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def copy(source, sink, from_server):
    while True:
        try:
            data = source.recv(65536)
        except OSError:
            data = b''
        if from_server and data and os.path.exists(lose):
            os.unlink(lose)
            shut((source, sink))
            return
        if not data:
            shut((source, sink))
            return
        try:
            sink.sendall(data)
        except OSError:
            shut((source, sink))
            return


listener = socket.socket(socket.AF_UNIX)
listener.bind(path(folder))
listener.listen()
print('ready', flush=True)
while True:
    client, _ = listener.accept()
    server = socket.socket(socket.AF_UNIX)
    server.connect(path(server_folder))
    for pair in ((client, server, False), (server, client, True)):
        threading.Thread(target=copy, args=pair, daemon=True).start()
