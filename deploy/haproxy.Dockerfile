# HAProxy by Debian's package, for compose.replicas.yaml where the official image can't be had:
#
#   docker build --file haproxy.Dockerfile --tag tms-haproxy . && HAPROXY_IMAGE=tms-haproxy
FROM debian:bookworm-slim
RUN apt-get update -q && apt-get install -y -q --no-install-recommends haproxy \
 && apt-get clean && rm -rf /var/lib/apt/lists/*
USER haproxy
# Ends when its connections do.
STOPSIGNAL SIGUSR1
CMD ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]
