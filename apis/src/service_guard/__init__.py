"""What both servers check before an operation sees a request.

`ServiceGuard` is one ASGI middleware: Host names, origins and CORS, request ids, size and time of bodies, a record of
every answer. `LimitedHttp` is the protocol class for uvicorn, which limits size and time of request heads, before any
middleware sees them. `KEEP_ALIVE_S` is how long idle connections stay. `write_json_logs` makes all log lines JSON, those of libraries included. `refuse_server_options`
is for the command line. `until` limits a wait for a client. `tcp_socket` makes what the servers listen on. `read_regular` and `move_to_new` read and write files that
users name. `read_address`, `is_public` and `is_of_this_link` tell which network an address belongs to.
"""

from service_guard.addresses import is_of_this_link, is_public, read_address
from service_guard.files import move_to_new, read_regular
from service_guard.guard import SCOPE_KEY, GuardedAnswer, ServiceGuard
from service_guard.heads import KEEP_ALIVE_S, LimitedHttp
from service_guard.logs import write_json_logs
from service_guard.options import refuse_server_options
from service_guard.rules import Refusal, Rules, host_name
from service_guard.sockets import tcp_socket
from service_guard.waiting import until

__all__ = [
    "KEEP_ALIVE_S",
    "SCOPE_KEY",
    "GuardedAnswer",
    "LimitedHttp",
    "Refusal",
    "Rules",
    "ServiceGuard",
    "host_name",
    "is_of_this_link",
    "is_public",
    "move_to_new",
    "read_address",
    "read_regular",
    "refuse_server_options",
    "tcp_socket",
    "until",
    "write_json_logs",
]
