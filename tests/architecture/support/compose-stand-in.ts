import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repoRoot, services } from './repository.ts'

/**
 * A substitute for Docker Compose, as far as upgrade.sh uses it: each container is a file with its service and its image, and
 * one of its name in `stopped` while it does not run.
 */
const DOCKER = `#!/bin/sh
cd "$STATE/containers"
version=\${TMS_VERSION-$(sed -n 's/^TMS_VERSION=//p' "$STATE/.env")}
for last; do :; done
of() { grep -ls "^$1 " * || true; }
running() { for each in $(of "$1"); do [ -e "$STATE/stopped/$each" ] || echo "$each"; done; }
case "$*" in
  'compose config')
    echo services:
    for each in ${services.join(' ')}; do printf '  %s:\\n    image: tms-%s:%s\\n' $each $each "$version"; done ;;
  'compose ps -q gateway') running gateway ;;
  'compose run '*) echo "$last:$version" >>"$STATE/done" ;;
  'compose up '*)
    n=\${*##*--scale $last=}; n=\${n%% *}
    for each in $(of "$last"); do rm -f "$STATE/stopped/$each"; done
    while [ "$(of "$last" | grep -c .)" -lt "$n" ]; do
      i=$(($(cat "$STATE/made") + 1)); echo $i >"$STATE/made"
      echo "$last tms-$last:$version" >"c$(printf %04d $i)"
    done ;;
  'inspect --format {{.Image}} '*) cut -d ' ' -f 2 "$last" ;;
  inspect*) echo tms ;;
  'image inspect '*) echo "$last" ;;
  'ps '*)
    service=$(printf '%s\\n' "$@" | sed -n 's/.*compose.service=//p')
    case "$last" in --all) of "$service" ;; *) running "$service" ;; esac ;;
  stop*)
    touch "$STATE/stopped/$last"
    if [ -e "$STATE/signal" ]; then kill -s "$(cat "$STATE/signal")" "$PPID"; rm "$STATE/signal"; exit 130; fi ;;
  exec*) ! grep -qxF "$(cut -d ' ' -f 2 "$2")" "$STATE/unready" ;;
  logs*) echo 'The configuration is wrong' ;;
  rm*) cat "$last" >>"$STATE/done"; rm -f "$last" "$STATE/stopped/$last" ;;
esac
`

/** A folder with upgrade.sh and the variables of a system, with two replicas of each service "running" in version 1. */
export function createStandIn(variables: string | null) {
  const folder = mkdtempSync(join(tmpdir(), 'tms-upgrade-'))
  const path = (name: string) => join(folder, name)
  for (const name of ['bin', 'containers', 'stopped']) mkdirSync(path(name))
  writeFileSync(path('bin/docker'), DOCKER, { mode: 0o755 })
  writeFileSync(path('bin/sleep'), '#!/bin/sh\n', { mode: 0o755 })
  const running = services.flatMap((service) => [service, service])
  running.forEach((service, index) => {
    writeFileSync(path(`containers/c${String(index).padStart(4, '0')}`), `${service} tms-${service}:1\n`)
  })
  writeFileSync(path('made'), String(running.length))
  writeFileSync(path('unready'), '')
  copyFileSync(join(repoRoot, 'deploy', 'upgrade.sh'), path('upgrade.sh'))
  if (variables !== null) {
    writeFileSync(path('.env'), variables)
    chmodSync(path('.env'), 0o600)
  }

  return {
    path,
    /** Images whose containers never become ready. */
    setUnready: (...images: string[]) => writeFileSync(path('unready'), images.join('\n')),
    /** Sends a signal to upgrade.sh the next time it stops a container. */
    signalAtStop: (signal: 'INT' | 'KILL') => writeFileSync(path('signal'), signal),
    /** Stops this many replicas of a service, as an operator would. */
    stop: (service: string, count: number) => {
      const containers = readdirSync(path('containers')).filter((name) =>
        readFileSync(path(`containers/${name}`), 'utf8').startsWith(`${service} `),
      )
      for (const name of containers.slice(0, count)) writeFileSync(path(`stopped/${name}`), '')
    },
    upgrade: (version: string | undefined, ...args: string[]) => {
      writeFileSync(path('done'), '')
      const { status, stdout, stderr } = spawnSync('sh', [path('upgrade.sh'), ...args], {
        encoding: 'utf8',
        env: { PATH: `${path('bin')}:${process.env.PATH}`, STATE: folder, TMS_VERSION: version },
      })
      return { status, said: stdout + stderr }
    },
    /** Migrations and removed containers, in order. */
    done: () => readFileSync(path('done'), 'utf8').trim().split('\n'),
    /** Images of the running containers. */
    running: () =>
      readdirSync(path('containers'))
        .filter((name) => !existsSync(path(`stopped/${name}`)))
        .map(
          (name) =>
            readFileSync(path(`containers/${name}`), 'utf8')
              .trim()
              .split(' ')[1],
        )
        .sort(),
    variables: () => (existsSync(path('.env')) ? readFileSync(path('.env'), 'utf8') : null),
    remove: () => rmSync(folder, { recursive: true }),
  }
}
