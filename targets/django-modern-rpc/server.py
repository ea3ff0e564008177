"""A django-modern-rpc server in one file, its procedures as its documentation shows: python server.py PORT"""

import sys
import time

import django
from django.conf import settings
from django.core.servers.basehttp import WSGIServer, run
from django.core.wsgi import get_wsgi_application
from django.urls import path

settings.configure(ROOT_URLCONF=__name__, SECRET_KEY="none", ALLOWED_HOSTS=["*"], INSTALLED_APPS=["modernrpc"])
django.setup()

from modernrpc.exceptions import RPCException  # noqa: E402
from modernrpc.server import RpcServer  # noqa: E402

took = 0
server = RpcServer()


@server.register_procedure
def subtract(minuend, subtrahend):
    return minuend - subtrahend


@server.register_procedure(name="sum")
def sum_(*values):
    return sum(values)


@server.register_procedure
def get_data():
    return ["hello", 5]


def effect(*_args):
    global took
    took += 1


for name in ("update", "notify_hello", "notify_sum"):
    server.register_procedure(effect, name=name)


@server.register_procedure
def echo(*args, **kwargs):
    return kwargs or list(args)


@server.register_procedure
def fail():
    raise ValueError("the handler failed")


@server.register_procedure
def app_error(code, data):
    raise RPCException(code, "application error", data)


@server.register_procedure
def slow(ms):
    time.sleep(ms / 1000)
    return ms


@server.register_procedure
def count():
    return took


urlpatterns = [path("rpc/", server.view)]
run("127.0.0.1", int(sys.argv[1]), get_wsgi_application(), threading=True, server_cls=WSGIServer)
