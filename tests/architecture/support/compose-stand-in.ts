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
 * one of its name in `stopped` while it does not run. An upgrade calls it some hundred times, so it starts hardly any
 * program.
 */
const DOCKER = `#!/bin/sh
cd "$STATE/containers"
if [ -z "\${TMS_VERSION+given}" ]; then
  while IFS= read -r line; do case "$line" in TMS_VERSION=*) TMS_VERSION=\${line#*=} ;; esac; done <"$STATE/.env"
fi
for last; do :; done
list() {
  for each in *; do
    read -r service image <"$each"
    if [ "$service" = "$1" ] && { [ "$2" = all ] || ! [ -e "$STATE/stopped/$each" ]; }; then echo "$each"; fi
  done
}
case "$*" in
  'compose config')
    echo services:
    for each in ${services.join(' ')}; do printf '  %s:\\n    image: tms-%s:%s\\n' $each $each "$TMS_VERSION"; done ;;
  'compose ps -q gateway') list gateway running ;;
  'compose run '*) echo "$last:$TMS_VERSION" >>"$STATE/done" ;;
  'compose up '*)
    missing=\${*##*--scale $last=}; missing=\${missing%% *}
    for each in $(list "$last" all); do
      missing=$((missing - 1))
      if [ -e "$STATE/stopped/$each" ]; then rm "$STATE/stopped/$each"; fi
    done
    while [ "$missing" -gt 0 ]; do
      read -r made <"$STATE/made"
      made=$((made + 1)) missing=$((missing - 1))
      echo $made >"$STATE/made"
      echo "$last tms-$last:$TMS_VERSION" >"c$(printf %04d $made)"
    done ;;
  'inspect --format {{.Image}} '*) read -r service image <"$last"; echo "$image" ;;
  inspect*) echo tms ;;
  'image inspect '*) echo "$last" ;;
  'ps '*)
    for each; do case "$each" in *compose.service=*) wanted=\${each#*compose.service=} ;; esac; done
    case "$last" in --all) list "$wanted" all ;; *) list "$wanted" running ;; esac ;;
  stop*)
    : >"$STATE/stopped/$last"
    if [ -e "$STATE/signal" ]; then
      read -r signal <"$STATE/signal"
      kill -s "$signal" "$PPID"; rm "$STATE/signal"; exit 130
    fi ;;
  exec*)
    read -r service image <"$2"
    while read -r each; do if [ "$each" = "$image" ]; then exit 1; fi; done <"$STATE/unready" ;;
  logs*) echo 'The configuration is wrong' ;;
  rm*) read -r line <"$last"; echo "$line" >>"$STATE/done"; rm -f "$last" "$STATE/stopped/$last" ;;
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
    setUnready: (...images: string[]) =>
      writeFileSync(path('unready'), images.map((image) => `${image}\n`).join('')),
    /** Sends a signal to upgrade.sh the next time it stops a container. */
    signalAtStop: (signal: 'INT' | 'KILL') => writeFileSync(path('signal'), `${signal}\n`),
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
