#!/bin/sh
# Writes what an overlay's secrets.env has to say: new key pairs, and the addresses of servers to be filled in. It is made once:
# one that exists stays as it is.
#
#   ./make-secrets.sh                                     into secrets.env
#   ./make-secrets.sh overlays/small/secrets.env          into another file
#
# Whoever loses the keys has to sign everybody in anew; keep the file as you keep passwords.
set -eu
case "${1:-}" in -*) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2 ;; esac
file=${1:-secrets.env}
if [ -e "$file" ]; then
  echo "$file exists already, and the keys in it may be in use; nothing is changed." >&2
  exit 1
fi
command -v openssl >/dev/null || { echo "openssl is needed to make keys; install it." >&2; exit 1; }

private_key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256; }
public_key() { printf '%s\n' "$1" | openssl pkey -pubout; }
# One line, with \n for line breaks, which the services understand.
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
