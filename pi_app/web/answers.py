"""What the servers of all pages share: files, boards, errors and headers."""

import asyncio
import contextlib
import logging
from collections.abc import Iterator, Mapping
from importlib import resources
from types import MappingProxyType
from typing import Any, Literal

import uvicorn
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from pi_app.model.screens import Text, message
from pi_app.record.games import NoGameError
from pi_app.record.trouble import JournalError
from pi_app.texts.language import Language, preferred_code
from pi_app.web.geometry import board_geometry
from pi_app.web.pages import STATIC, page_html

log = logging.getLogger(__name__)

MAX_HEAD_BYTES = 16_384  # bytes of a request before its body
NO_STORE = {"Cache-Control": "no-store"}
OWN_SITE = "; ".join(
    f"{kind}-src 'self'" for kind in ("connect", "img", "manifest", "script", "style")
)
FORBIDDEN = "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
DEFAULT_HEADERS = [
    ("Content-Security-Policy", f"default-src 'none'; {OWN_SITE}; {FORBIDDEN}"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
]
TYPES = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
}
FILLED = ("html", "webmanifest")  # with the texts of a language
Languages = Mapping[str, Language]
"""The languages of a page by the names of their catalogs; English is one of them."""


class RequestRefused(Exception):
    """A request that the server refuses.

    status: of HTTP. why: a message if a page shows it to its user; plain English if only programs
    read it. headers: more headers of the answer.
    """

    def __init__(self, status: int, why: Text, headers: Mapping[str, str] = MappingProxyType({})):
        super().__init__(why)
        self.status = status
        self.why = why
        self.headers = headers


def language_of(request: Request, languages: Languages) -> Language:
    """Return the language that the reader has chosen on a page, else the browser's first."""
    code = request.cookies.get("language", "")
    if code not in languages:
        code = preferred_code(request.headers.get("accept-language", ""), languages)
    return languages[code]


def routes(package: str, page: str, languages: Languages) -> list[Route]:
    """Return the routes of the boards, of the files that all pages share, and of one page's own.

    package, page: where the page's files are, and the name of its HTML.
    """
    return [
        Route("/board/{layout}/{travel}/{safety}", _answer_board),
        Route("/board/{layout}/{travel}/{safety}/{stars}", _answer_board),
        file_route("", package, f"{page}.html", languages),
        *(
            file_route(file.name, place, file.name, languages)
            for place in (STATIC, package)
            for file in resources.files(place).iterdir()
            if file.name.rpartition(".")[2] in TYPES
        ),
        Route("/{name:path}", _refuse_path),
    ]


def check_site(request: Request) -> None:
    """Raise RequestRefused if a page of another site has sent the request."""
    own = f"{request.url.scheme}://{request.headers.get('host')}"
    origin = request.headers.get("origin", own)
    if origin != own or request.headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        raise RequestRefused(403, "another site can't ask this: open the table's own address")


async def read_body(request: Request, most: int) -> bytes:
    """Return a request's body, JSON of at most so many bytes. Raises RequestRefused."""
    kind = request.headers.get("content-type")
    if kind != "application/json":  # a form of another site can't send this
        raise RequestRefused(415, "send application/json")
    body, length = b"", int(request.headers.get("content-length", 0))
    parts = request.stream()
    while (length := max(length, len(body))) <= most:
        if not (part := await anext(parts, b"")):
            return body
        body += part
    why = f"a message has at most {most} bytes"
    raise RequestRefused(413, why, {"Connection": "close"})  # the rest is not read


def error_handlers(languages: Languages) -> dict[Any, Any]:
    """Return what answers each error of a page with a sentence, in the reader's language."""

    async def refuse(request: Request, error: Exception) -> Response:
        where = request.path_params
        match error:
            case NoGameError():
                error = RequestRefused(404, message("no-such-game", number=where["number"]))
            case JournalError() if "number" in where:
                error = RequestRefused(503, message("can-not-read-game", number=where["number"]))
            case JournalError():
                error = RequestRefused(503, message("can-not-read-games"))
        assert isinstance(error, RequestRefused)
        why = language_of(request, languages).say(error.why, "page")
        return PlainTextResponse(f"{why}\n", error.status, error.headers)

    async def end(request: Request, error: Exception) -> Response:
        return Response(status_code=400)  # the client is gone: nobody reads this

    refused = dict.fromkeys((RequestRefused, NoGameError, JournalError), refuse)
    return {**refused, ClientDisconnect: end}


async def _answer_board(request: Request) -> Response:
    try:
        return JSONResponse(board_geometry(**request.path_params), headers=NO_STORE)
    except KeyError as error:
        raise RequestRefused(404, f"there is no board {error}") from None


def file_route(path: str, package: str, name: str, languages: Languages) -> Route:
    """Return the route of a file of a package, with the texts of the reader's language."""
    kind = name.rpartition(".")[2]

    async def answer(request: Request) -> Response:
        file = resources.files(package) / name
        is_page = kind in FILLED
        text = read_page(request, package, name, languages) if is_page else file.read_bytes()
        return Response(text, headers=NO_STORE, media_type=TYPES[kind])

    return Route(f"/{path}", answer)


def read_page(request: Request, package: str, name: str, languages: Languages) -> str:
    names = tuple((code, one.code, one.name) for code, one in languages.items())
    return page_html(package, name, language_of(request, languages), names)


async def _refuse_path(request: Request) -> Response:
    raise RequestRefused(404, message("no-such-page", name=request.path_params["name"]))


def make_server(
    application: ASGIApp, http: type[asyncio.Protocol] | Literal["h11"] = "h11"
) -> uvicorn.Server:
    """Return a server of an application. It logs only faults. http: the protocol to use."""
    return uvicorn.Server(
        uvicorn.Config(
            application,
            http=http,
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            log_level=logging.WARNING,
            access_log=False,
            headers=DEFAULT_HEADERS,
            server_header=False,
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        )
    )


@contextlib.contextmanager
def log_faults_once() -> Iterator[None]:
    """Log each fault of the running loop and of uvicorn once, in one line, in this block."""
    uvicorns, logged = logging.getLogger("uvicorn.error"), set[str]()

    def of_loop(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        uvicorns.error(context["message"], exc_info=context.get("exception"))

    def is_no_fault(record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        error = record.exc_info[1] if record.exc_info else None
        fault = " ".join((str(error) or repr(error) if error else record.getMessage()).split())
        if fault not in logged:
            logged.add(fault)
            log.warning("the page goes on after a fault: %s", fault)
        return False

    asyncio.get_running_loop().set_exception_handler(of_loop)
    uvicorns.addFilter(is_no_fault)
    try:
        yield
    finally:
        uvicorns.removeFilter(is_no_fault)
