# HAProxy from Debian's package, for compose.replicas.yaml if the official image is not available:
#
#   docker build --file haproxy.Dockerfile --tag tms-haproxy . && HAPROXY_IMAGE=tms-haproxy
FROM debian:bookworm-slim
RUN apt-get update -q && apt-get install -y -q --no-install-recommends haproxy \
 && apt-get clean && rm -rf /var/lib/apt/lists/*
USER haproxy
# Exits when its connections have ended.
STOPSIGNAL SIGUSR1
CMD ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]
