"""The server as a process: start, address, signals, and why it may refuse to start."""

from __future__ import annotations

import errno
import signal
import socket

import httpx
import pytest

from octavo.errors import ServeError
from octavo.server.run import _explain, address_of, bind_sockets
from tests.support.published import FILES

from .processes import request, send, status_of


def _has_ipv6() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


class TestAProcess:
    def test_says_its_address_in_one_line(self, out, start_server):
        process, port = start_server(out)
        reply = httpx.get(f"http://127.0.0.1:{port}/codegate/quickstart", headers={"Accept-Encoding": "br, gzip"})
        assert reply.status_code == 200
        assert reply.content == FILES["codegate/quickstart/index.html"]
        assert "server" not in reply.headers
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=60) == ("", "")

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_signal_ends_it_with_exit_code_0(self, out, start_server, number):
        process, port = start_server(out)
        httpx.get(f"http://127.0.0.1:{port}/")
        process.send_signal(number)
        process.communicate(timeout=60)
        assert process.returncode == 0

    def test_answer_under_way_is_finished(self, out, start_server):
        process, port = start_server(out)
        with httpx.stream("GET", f"http://127.0.0.1:{port}/video.mp4") as reply:
            chunks = reply.iter_raw(65536)
            received = next(chunks)
            process.send_signal(signal.SIGTERM)
            received += b"".join(chunks)
        process.communicate(timeout=60)
        assert received == FILES["video.mp4"]
        assert process.returncode == 0

    def test_head_of_the_health_check_has_no_body(self, out, start_server):
        _, port = start_server(out)
        head, _, body = send(port, request(b"/healthz", b"HEAD")).partition(b"\r\n\r\n")
        assert (status_of(head), body) == (200, b"")

    @pytest.mark.skipif(not _has_ipv6(), reason="this machine has no IPv6")
    def test_listens_on_ipv6(self, out, start_server):
        _, port = start_server(out, "::1")
        assert httpx.get(f"http://[::1]:{port}/").status_code == 200

    def test_folder_without_a_site_is_refused(self, tmp_path, start_server):
        process, _ = start_server(tmp_path / "nothing")
        _, errors = process.communicate(timeout=60)
        assert errors == (
            f"{tmp_path}/nothing contains no published site. Build it first: `octavo build --out {tmp_path}/nothing`.\n"
        )


class TestSockets:
    def test_taken_port_is_named_with_a_way_out(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            with pytest.raises(ServeError) as caught:
                bind_sockets("127.0.0.1", port)
        assert str(caught.value) == (
            f"Port {port} on 127.0.0.1 is taken by another program. "
            f"Choose another with `--port {port + 1}`, or `--port 0` for a free one."
        )

    def test_free_port_is_the_same_on_all_addresses_of_a_name(self):
        sockets = bind_sockets("localhost", 0)
        try:
            assert len({bound.getsockname()[1] for bound in sockets}) == 1
        finally:
            for bound in sockets:
                bound.close()

    @pytest.mark.skipif(_has_ipv6(), reason="this machine has IPv6")
    def test_address_of_a_missing_protocol_is_refused(self):
        with pytest.raises(ServeError):
            bind_sockets("::1", 0)

    @pytest.mark.parametrize("port", [-1, 65536, 100_000])
    def test_number_that_is_no_port_is_refused(self, port):
        with pytest.raises(ServeError, match="is not a port"):
            bind_sockets("127.0.0.1", port)

    @pytest.mark.parametrize("host", ["256.256.256.256", "not a host", "\u0378.example", "x" * 300])
    def test_host_that_is_no_address_is_refused(self, host):
        with pytest.raises(ServeError, match="is not an address of this machine"):
            bind_sockets(host, 0)

    def test_address_of_another_machine_is_refused(self):
        with pytest.raises(ServeError, match="cannot be opened"):
            bind_sockets("192.0.2.1", 0)

    def test_port_of_the_system_needs_more_rights(self):
        """The superuser, who often runs the tests, may open any port; so the message is asked for itself."""
        assert str(_explain(PermissionError(errno.EACCES, "Permission denied"), "127.0.0.1", 80)) == (
            "Port 80 needs more rights than this user has. Choose one above 1023 with `--port`."
        )

    @pytest.mark.parametrize(
        ("host", "name"),
        [("127.0.0.1", "127.0.0.1"), ("", "localhost"), ("0.0.0.0", "localhost"), ("docs.local", "docs.local")],
    )
    def test_address_can_be_opened_by_a_reader(self, host, name):
        with socket.create_server(("127.0.0.1", 0)) as bound:
            assert address_of(host, [bound]) == f"http://{name}:{bound.getsockname()[1]}"
