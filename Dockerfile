# jrpcheck and jrpc-reference, static programs, as a user without rights. scripts/package archive makes what is copied.
#   docker build -t jrpcheck .
#   docker run --rm --network host jrpcheck tcp://127.0.0.1:4000
#   docker run --rm -v "$PWD:/work" jrpcheck -- ./my-server --stdio
FROM debian:12-slim
RUN --mount=type=bind,source=build/dist,target=/dist \
    apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && tar -xzf /dist/jrpcheck-*-linux-"$(uname -m)".tar.gz -C /usr/local --strip-components=1 \
    && useradd --system --uid 10001 --home-dir /work --shell /usr/sbin/nologin jrpcheck
WORKDIR /work
USER 10001
ENTRYPOINT ["jrpcheck"]
CMD ["--help"]
