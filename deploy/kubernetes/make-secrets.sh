#!/bin/sh
# Prints what an overlay's secrets.env has to say: new key pairs, and the addresses of servers to be filled in.
#
#   ./make-secrets.sh > overlays/small/secrets.env
#
# Whoever loses the keys has to sign everybody in anew; keep the file as you keep passwords.
set -eu
command -v openssl >/dev/null || { echo "openssl is needed to make keys; install it." >&2; exit 1; }

private_key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256; }
public_key() { printf '%s\n' "$1" | openssl pkey -pubout; }
# One line, with \n for line breaks, which the services understand.
line() { printf '%s=%s\n' "$1" "$(printf '%s\n' "$2" | awk '{ printf "%s\\n", $0 }')"; }

jwt=$(private_key)
internal=$(private_key)
line JWT_PRIVATE_KEY "$jwt"
line JWT_PUBLIC_KEY "$(public_key "$jwt")"
line INTERNAL_PRIVATE_KEY "$internal"
line INTERNAL_PUBLIC_KEY "$(public_key "$internal")"
cat <<'SERVERS'
USERS_DATABASE_URL=postgres://tms:PASSWORD@postgresql.example.com:5432/tms_users
REALM_DATABASE_URL=postgres://tms:PASSWORD@postgresql.example.com:5432/tms_realm
MESSAGING_DATABASE_URL=postgres://tms:PASSWORD@postgresql.example.com:5432/tms_messaging
REDIS_URL=redis://:PASSWORD@redis.example.com:6379
RABBITMQ_URL=amqp://tms:PASSWORD@rabbitmq.example.com:5672
MAIL_URL=smtp://tms:PASSWORD@smtp.example.com:587
SERVERS
echo "# Over TLS: rediss://, amqps:// and ?sslmode=verify-full above, and the authority of the servers as one line."
echo "# TLS_CA="
echo "# Without these two: a role of the cloud, by the annotations of the service accounts."
echo "# UPLOADS_S3_ACCESS_KEY_ID="
echo "# UPLOADS_S3_SECRET_ACCESS_KEY="
