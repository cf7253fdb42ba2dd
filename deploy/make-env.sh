#!/bin/sh
# Writes .env beside this file: new passwords and key pairs, and settings to adjust. An existing .env stays unchanged. Keep it:
# the data can't be accessed without its passwords and keys.
set -eu
cd "$(dirname "$0")"
if [ -e .env ]; then
  echo "deploy/.env exists already; nothing is changed." >&2
  exit 0
fi
command -v openssl >/dev/null || { echo "openssl is needed to make keys; install it." >&2; exit 1; }

secret() { openssl rand -hex 24; }
private_key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256; }
public_key() { printf '%s\n' "$1" | openssl pkey -pubout; }
# One line, with \n for line breaks, which the services accept and every version of Compose can read.
line() { printf "%s='%s'\n" "$1" "$(printf '%s\n' "$2" | awk '{ printf "%s\\n", $0 }')"; }

umask 077
jwt=$(private_key)
internal=$(private_key)
port=${GATEWAY_PORT:-9991}
{
  cat <<SETTINGS
COMPOSE_PROJECT_NAME=${COMPOSE_PROJECT_NAME:-tms}

# The only published port, and the address that clients use (behind a TLS proxy: the proxy's).
GATEWAY_PORT=$port
EXTERNAL_HOST=${EXTERNAL_HOST:-localhost:$port}
EXTERNAL_SCHEME=${EXTERNAL_SCHEME:-http}

# The first organization's owner.
OWNER_EMAIL=${OWNER_EMAIL:-owner@example.com}
OWNER_PASSWORD=$(secret)

POSTGRES_PASSWORD=$(secret)
REDIS_PASSWORD=$(secret)
RABBITMQ_PASSWORD=$(secret)

# Key pairs (P-256, PEM): JWT signs the identity of clients, INTERNAL signs calls between services.
SETTINGS
  line JWT_PRIVATE_KEY "$jwt"
  line JWT_PUBLIC_KEY "$(public_key "$jwt")"
  line INTERNAL_PRIVATE_KEY "$internal"
  line INTERNAL_PUBLIC_KEY "$(public_key "$internal")"
} >.env.new
mv .env.new .env
echo "wrote deploy/.env"
