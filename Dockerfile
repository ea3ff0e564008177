# jrpcheck and jrpc-reference, from their own Debian package, as a user without rights:
#   docker build -t jrpcheck .
#   docker run --rm --network host jrpcheck tcp://127.0.0.1:4000
#   docker run --rm -v "$PWD:/work" jrpcheck -- ./my-server --stdio
FROM debian:12-slim AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends cmake dpkg-dev file gcc libc6-dev libcurl4-openssl-dev libmicrohttpd-dev \
        libwslay-dev ninja-build pkg-config \
    && rm -rf /var/lib/apt/lists/*
COPY . /src
RUN cmake -S /src -B /build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_INSTALL_PREFIX=/usr -DJRPC_TESTS=OFF \
        -DJRPC_HTTP=ON \
    && cmake --build /build \
    && cpack -G DEB --config /build/CPackConfig.cmake -B /deb

FROM debian:12-slim
RUN --mount=type=bind,from=build,source=/deb,target=/deb \
    apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates /deb/jrpcheck_*.deb \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /work --shell /usr/sbin/nologin jrpcheck
WORKDIR /work
USER 10001
ENTRYPOINT ["jrpcheck"]
CMD ["--help"]
