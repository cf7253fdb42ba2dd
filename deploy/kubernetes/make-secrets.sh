#!/bin/sh
# Writes a secrets.env for an overlay: new key pairs, and URLs of servers to fill in. An existing file stays unchanged.
#
#   ./make-secrets.sh                                     into secrets.env
#   ./make-secrets.sh overlays/small/secrets.env          into another file
#
# Without these keys every user has to sign in again; keep the file like a password.
set -eu
case "${1:-}" in -*) sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2 ;; esac
file=${1:-secrets.env}
if [ -e "$file" ]; then
  echo "$file exists already, and the keys in it may be in use; nothing is changed." >&2
  exit 1
fi
command -v openssl >/dev/null || { echo "openssl is needed to make keys; install it." >&2; exit 1; }

private_key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256; }
public_key() { printf '%s\n' "$1" | openssl pkey -pubout; }
# One line, with \n for line breaks, which the services accept.
line() { printf '%s=%s\n' "$1" "$(printf '%s\n' "$2" | awk '{ printf "%s\\n", $0 }')"; }

umask 077
jwt=$(private_key)
internal=$(private_key)
{
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
# Over TLS: rediss://, amqps:// and ?sslmode=verify-full above, and the authority of the servers as one line.
# TLS_CA=
# Without these two: a role of the cloud, by the annotations of the service accounts.
# UPLOADS_S3_ACCESS_KEY_ID=
# UPLOADS_S3_SECRET_ACCESS_KEY=
SERVERS
} >"$file.new"
mv "$file.new" "$file"
echo "wrote $file"
