#!/bin/sh
# Prints what an operator does after `make up`, by the settings of this installation (in the environment, or in `.env`).
set -eu
# Not the observers: their ports are bound in any case.
settings=$(COMPOSE_PROFILES='' docker compose config)
is_set() { printf '%s\n' "$settings" | grep -Eq "^ *$1: *[\"']?${2:-[^\"' ]}"; }

echo
echo 'Next:'
if is_set REGISTRATION '(invitation|closed)'; then
  echo '  Create your account (prints a link):  docker compose run --rm admin create-account <username>'
  echo '  Become an admin:                      docker compose run --rm admin grant <username>'
else
  echo '  Sign up there, and become an admin:   docker compose run --rm admin grant <username>'
fi
echo '  Copy the backups to another place:    docker compose cp backup:/backup . (one is made every night)'
is_set SMTP_URL || cat <<'END'
Warning: mails, as those for forgotten passwords, are not sent, since SMTP_URL and PUBLIC_URL are not set. They are kept:
  docker compose exec auth sh -c 'cat /data/mail/*'
END
is_set PUBLIC_URL https: || cat <<'END'
Warning: this is plain HTTP, without passkeys, push messages and offline use, and everybody in the network can read along. Put a proxy
with a certificate in front, and set PUBLIC_URL and TRUSTED_PROXIES (infra/docs/operations.md#tls).
END
is_set host_ip || cat <<'END'
Warning: it is reachable by every address of this machine. BIND=127.0.0.1 lets only this machine connect, as the proxy.
END
