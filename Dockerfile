# The images, one per target: each service, the first organization, the commands for operators, and everything in one for tests:
#
#   docker build --target gateway --tag tms-gateway:0.1.0 --build-arg VERSION=0.1.0 --build-arg REVISION=$(git rev-parse HEAD) .
#
# VERSION and REVISION become labels that identify the sources of an image.
# Without open access to the internet: HTTP_PROXY, HTTPS_PROXY and NO_PROXY are Docker's own build arguments; NPM_REGISTRY is a
# mirror, NPM_CA the text of a certificate (PEM) to trust, and --network=host builds with the host's network. None of it
# remains in the images.

ARG NODE_IMAGE=node:24-bookworm-slim

# Installs the whole workspace, bundles the services, and deploys each with its production dependencies. CI checks the types.
FROM ${NODE_IMAGE} AS build
ARG NPM_REGISTRY
ARG NPM_CA
# Avoids the download of Prisma's schema engine, which generating the client doesn't need.
ENV CI=1 PRISMA_SCHEMA_ENGINE_BINARY=/bin/true
RUN if [ -n "$NPM_REGISTRY" ]; then npm config set registry "$NPM_REGISTRY"; fi \
 && if [ -n "$NPM_CA" ]; then \
      printf '%s\n' "$NPM_CA" >/etc/npm-ca.pem && npm config set cafile /etc/npm-ca.pem; \
    fi
WORKDIR /workspace
# Copied before the sources, so that dependencies are fetched again only if they change. pnpm checks the lockfile against its
# policies here; `--trust-lockfile` below means that each deployment doesn't ask the registry again.
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
RUN npm install --global "pnpm@$(node -p "require('./package.json').engines.pnpm")" && pnpm fetch
COPY . .
RUN pnpm install --offline --frozen-lockfile \
 && node tools/generate.ts && pnpm exec tsc -b libs/local-system manage && node tools/bundle.ts
RUN for folder in services/* libs/local-system manage; do \
      pnpm --filter "./$folder" deploy --prod --offline --trust-lockfile "/out/$(basename "$folder")" || exit 1; \
    done \
 && node tools/prune-bundled.ts /out/* && sh deploy/prune.sh /out/*

# The base of all images. Nothing is written to the file system, so it may be read-only.
FROM ${NODE_IMAGE} AS runtime
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.vendor="Team Messaging Service" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# Stack traces name lines of TypeScript: bundled programs map theirs without the flag, the others need it.
ENV NODE_ENV=production NODE_OPTIONS=--enable-source-maps PORT=8080
WORKDIR /app
# glibc's memory arena per thread would keep much free memory without returning it.
ENV MALLOC_ARENA_MAX=2
# The user `node`, by number: Kubernetes checks that it isn't root.
USER 1000:1000
EXPOSE 8080
CMD ["node", "dist/main.js"]

FROM runtime AS service
# The commands for operators: node /manage/dist/main.js --help
COPY --from=build /out/manage /manage/
# Uses bash alone: starting a program every few seconds in every container would be a burden on a small machine. Has a long
# start period, since Compose gives up on unhealthy containers. Over TLS it checks only that the service accepts connections.
HEALTHCHECK --interval=5s --timeout=10s --start-period=120s --retries=6 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && { [[ $SERVE_TLS == true ]] || { printf 'GET /health/live HTTP/1.0\\r\\n\\r\\n' >&3 && read -r answer <&3 && [[ $answer == *' 200 '* ]]; }; }"]

FROM service AS gateway
LABEL org.opencontainers.image.title="tms-gateway"
COPY --from=build /out/gateway ./

# All images have the folder, since a new volume gets its owner from the first image that mounts it.
FROM service AS service-with-files
USER root
RUN install --directory --owner=1000 --group=1000 /uploads
USER 1000:1000

# The images of users, realm and messaging also migrate their databases: node dist/migrate.js
FROM service-with-files AS users
LABEL org.opencontainers.image.title="tms-users"
COPY --from=build /out/users ./

FROM service-with-files AS realm
LABEL org.opencontainers.image.title="tms-realm"
COPY --from=build /out/realm ./

FROM service-with-files AS messaging
LABEL org.opencontainers.image.title="tms-messaging"
COPY --from=build /out/messaging ./

FROM service AS events
LABEL org.opencontainers.image.title="tms-events"
COPY --from=build /out/events ./

FROM runtime AS first-organization
LABEL org.opencontainers.image.title="tms-first-organization"
COPY --from=build /out/local-system ./
CMD ["node", "dist/first-organization/main.js"]

FROM runtime AS manage
LABEL org.opencontainers.image.title="tms-manage"
COPY --from=build /out/manage ./
ENTRYPOINT ["node", "dist/main.js"]
CMD ["--help"]

# Deploys the services once more, together, so that shared dependencies are stored once.
FROM build AS build-all-in-one
RUN pnpm exec tsc -b all-in-one \
 && pnpm --filter ./all-in-one deploy --prod --offline --trust-lockfile /out/all-in-one \
 && node tools/prune-bundled.ts /out/all-in-one && sh deploy/prune.sh /out/all-in-one

# For tests: PostgreSQL, Redis, RabbitMQ and the services in one container, which is ready within seconds and may lose its data.
# Everything runs as user 1000 and stores its data in /data, which may be a tmpfs.
FROM runtime AS all-in-one
LABEL org.opencontainers.image.title="team-messaging"
USER root
# Removes PostgreSQL's JIT compiler, a third of everything that is installed here, which these settings don't use.
RUN printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d \
 && export DEBIAN_FRONTEND=noninteractive \
 && apt-get update -q && apt-get install -y -q --no-install-recommends postgresql-common \
 && sed -i 's/^#\?create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf \
 && apt-get install -y -q --no-install-recommends postgresql redis-server rabbitmq-server tini \
 && apt-get clean && rm -rf /var/lib/apt/lists/* /usr/lib/postgresql/*/lib/llvmjit* /usr/lib/postgresql/*/lib/bitcode /usr/lib/*/libLLVM* \
 && install --directory --owner=1000 --group=1000 /data /seed /compile-cache
ENV NODE_COMPILE_CACHE=/compile-cache LOG_LEVEL=warn \
    RATE_LIMIT_PER_MINUTE=0 FAILED_LOGINS_PER_MINUTE=0 ANONYMOUS_CALLS_PER_MINUTE=0 MAX_CONNECTIONS_PER_ADDRESS=0 \
    WEBHOOKS_TO_PRIVATE_ADDRESSES=true \
    INVITES_PER_DAY=0 INVITES_PER_DAY_OF_NEW_REALMS=0 INVITES_MIN_USER_AGE_DAYS=0 \
    MAIL_REQUESTS_PER_HOUR=0 MAIL_REQUESTS_PER_DAY=0 MAIL_REQUESTS_PER_IP_PER_DAY=0
COPY --from=build-all-in-one /out/all-in-one ./
# A tmpfs mounted on the folder takes its mode, though not its owner.
RUN ln -s node_modules/@tms services && chmod 1777 /data
USER 1000:1000
RUN node dist/prepare.js
# The file exists while everything answers.
HEALTHCHECK --interval=3s --timeout=10s --start-period=60s CMD ["test", "-f", "/data/ready"]
# tini forwards signals and reaps orphaned processes.
ENTRYPOINT ["tini", "--"]
CMD ["node", "dist/main.js"]
