// Creates the first organization of a deployed system, its owner and default channels, and prints how to sign in, with the API
// key of a new account. Leaves existing data unchanged, so it may run at every start. Runs in an image of its own.
import { setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'
import { createFirstOrganization } from './create-organization.ts'
import { describeSignIn } from './describe-sign-in.ts'

const READY_TIMEOUT_MS = 120_000
const POLL_MS = 500

try {
  await main()
} catch (err) {
  console.error(err instanceof Error ? err.message : err)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const urls = {
    gateway: readVariable('GATEWAY_URL'),
    users: readVariable('USERS_URL'),
    realm: readVariable('REALM_URL'),
  }
  const address = readVariable('EXTERNAL_URL')
  const email = readVariable('OWNER_EMAIL')
  const password = readVariable('OWNER_PASSWORD')
  const internalPrivateKey = readVariable('INTERNAL_PRIVATE_KEY').replaceAll('\\n', '\n')
  const { TLS_CA: authorities } = process.env
  if (authorities)
    tls.setDefaultCACertificates([...tls.getCACertificates(), authorities.replaceAll('\\n', '\n')])
  await Promise.all(Object.values(urls).map(waitUntilReady))
  const owner = await createFirstOrganization({ urls, address, internalPrivateKey, email, password })
  console.log(describeSignIn(address, email, owner))
}

function readVariable(name: string): string {
  const value = process.env[name]
  if (value) return value
  throw new Error(`${name} is required`)
}

async function waitUntilReady(url: string): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  for (;;) {
    try {
      const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5_000) })
      if (answer.ok) return
      if (Date.now() > deadline) throw new Error(`${url} is not ready: ${await answer.text()}`)
    } catch (err) {
      if (Date.now() > deadline) throw err
    }
    await sleep(POLL_MS)
  }
}
