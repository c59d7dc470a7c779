"""The pages that describe the API, served with all their files from here: FastAPI's own load files from the network."""

from pathlib import Path
from typing import Literal

import fastapi_offline
from fastapi import FastAPI, Request
from fastapi.openapi.docs import get_redoc_html, get_swagger_ui_html, get_swagger_ui_oauth2_redirect_html
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse

FILES = "/docs/files"
FileName = Literal["swagger-ui-bundle.js", "swagger-ui.css", "redoc.standalone.js", "favicon.png"]
_FOLDER = Path(fastapi_offline.__file__).with_name("static")
_SIGNED_IN = "/docs/oauth2-redirect"
_READ = ["GET", "HEAD"]
_FROM_HERE = "default-src 'self' 'unsafe-inline' data: blob:"
"""ReDoc would fetch a logo from the network."""


def install(app: FastAPI) -> None:
    """Serve `/docs`, `/redoc` and the files of both; `/` leads to the first."""

    @app.api_route("/", methods=_READ, include_in_schema=False)
    async def front(request: Request) -> RedirectResponse:
        return RedirectResponse(f"{_root(request)}/docs")

    @app.api_route("/docs", methods=_READ, include_in_schema=False)
    async def swagger(request: Request) -> HTMLResponse:
        at = _root(request)
        page = get_swagger_ui_html(
            openapi_url=f"{at}{app.openapi_url}",
            title=f"{app.title}: API",
            swagger_js_url=f"{at}{FILES}/swagger-ui-bundle.js",
            swagger_css_url=f"{at}{FILES}/swagger-ui.css",
            swagger_favicon_url=f"{at}{FILES}/favicon.png",
            oauth2_redirect_url=f"{at}{_SIGNED_IN}",
        )
        return _alone(page)

    @app.api_route(_SIGNED_IN, methods=_READ, include_in_schema=False)
    async def signed_in() -> HTMLResponse:
        return _alone(get_swagger_ui_oauth2_redirect_html())

    @app.api_route("/redoc", methods=_READ, include_in_schema=False)
    async def redoc(request: Request) -> HTMLResponse:
        at = _root(request)
        page = get_redoc_html(
            openapi_url=f"{at}{app.openapi_url}",
            title=f"{app.title}: API",
            redoc_js_url=f"{at}{FILES}/redoc.standalone.js",
            redoc_favicon_url=f"{at}{FILES}/favicon.png",
            with_google_fonts=False,
        )
        return _alone(page)

    @app.api_route(FILES + "/{name}", methods=_READ, include_in_schema=False)
    async def file(name: FileName) -> FileResponse:
        return FileResponse(_FOLDER / name)


def _root(request: Request) -> str:
    return str(request.scope.get("root_path", "")).rstrip("/")


def _alone(page: HTMLResponse) -> HTMLResponse:
    page.headers["Content-Security-Policy"] = _FROM_HERE
    return page
