// `npm start`: prepares the checkout and starts libs/local-system.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createProgress } from './bootstrap/progress.ts'
import { prepareWorkspace } from './bootstrap.ts'
import { repoRoot } from './repo-root.ts'
import { runMain } from './run-main.ts'

// A copy, since it must work before anything is installed; libs/local-system owns the settings, and a test there compares
// the two.
const HELP = `npm start -- [flags]

Installs and builds what is out of date, brings up PostgreSQL, Redis and RabbitMQ, migrates, creates a first
organization, starts the five services and prints how to use them. Ctrl-C stops everything; data stay.

Flags
  --port <number>          port of the API (default: the one of the last start, else 9991, else a free one)
  --replicas <list>        processes per service, as in events=2,messaging=2 (default: 1 each)
  --data-dir <folder>      where data, keys and passwords are (default: .local/data)
  --verbose                show a line for every request, not only warnings and errors
  --log-level <level>      of the services' log files: trace, debug, info, warn, error (default: info)
  --no-packages            never install Debian packages
  --no-docker              don't use Docker
  --no-organization        don't create the first organization, so that one can be imported (docs/exports.md)
  --with <list>            further ways to sign in, with people to try them: any of ldap, oidc, saml (docs/sign-on.md)
  --help                   this text

Environment variables
  POSTGRES_URL             use this PostgreSQL (14 or newer; a role that may create databases)
  REDIS_URL                use this Redis
  RABBITMQ_URL             use this RabbitMQ (3.9 or newer)
  POSTGRES_IMAGE, REDIS_IMAGE, RABBITMQ_IMAGE
                           images to use with Docker
  PORT, DATA_DIR, LOG_LEVEL
                           as the flags of that name
  NO_COLOR                 no colors
  any of a service         goes to the services (docs/configuration.md). Limits of calls and connections are off
                           here unless set: RATE_LIMIT_PER_MINUTE=200 npm start

For each server the first that applies is taken: its URL; an installed program, run as a private instance on a
free port; Docker; Debian packages (as root). Files: .local/instance.json (address, credentials and URLs, while
it runs; with gateway=2, services.gateway there has the address of each: clients may use any of them), .local/logs (full logs), .local/data (remove it to start from nothing).`

async function main(args: string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(HELP)
    return 0
  }
  const url = await findRunning()
  if (url) {
    console.log(`Already running in this checkout at ${url}; stop it first.`)
    return 1
  }
  await prepareWorkspace(createProgress())
  const { startLocal } = await import('../libs/local-system/dist/index.js')
  return startLocal(args, { env: process.env, repoRoot })
}

/** The URL of this checkout's running system, which must not be rebuilt. (startLocal takes the actual lock.) */
async function findRunning(): Promise<string | null> {
  const path = join(repoRoot, '.local', 'instance.json')
  if (!existsSync(path)) return null
  try {
    const { baseUrl, pid }: { baseUrl: string; pid: number } = JSON.parse(readFileSync(path, 'utf8'))
    process.kill(pid, 0)
    const { ok } = await fetch(`${baseUrl}/health/live`, { signal: AbortSignal.timeout(2_000) })
    return ok ? baseUrl : null
  } catch {
    return null
  }
}

await runMain(main)
