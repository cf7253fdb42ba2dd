// Creates the first organization of a deployed system, its owner and default channels, and prints how to sign in, with the API
// key of a new account. Leaves existing data unchanged, so it may run at every start. Runs in the image of libs/local-system.
import { setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'
import { createFirstOrganization, describeSignIn } from '@tms/local-system'

const READY_TIMEOUT_MS = 120_000
const POLL_MS = 500

const [gateway, users, realm, address, email, password, privateKey] = [
  'GATEWAY_URL',
  'USERS_URL',
  'REALM_URL',
  'EXTERNAL_URL',
  'OWNER_EMAIL',
  'OWNER_PASSWORD',
  'INTERNAL_PRIVATE_KEY',
].map(readVariable)

const { TLS_CA } = process.env
if (TLS_CA) tls.setDefaultCACertificates([...tls.getCACertificates(), TLS_CA.replaceAll('\\n', '\n')])

function readVariable(name) {
  const value = process.env[name]
  if (value) return value
  console.error(`${name} is required`)
  process.exit(1)
}

async function waitUntilReady(url) {
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

try {
  await Promise.all([gateway, users, realm].map(waitUntilReady))
  const owner = await createFirstOrganization({
    urls: { gateway, users, realm },
    address,
    internalPrivateKey: privateKey.replaceAll('\\n', '\n'),
    email,
    password,
  })
  console.log(describeSignIn(address, email, owner))
} catch (err) {
  console.error(err instanceof Error ? err.message : err)
  process.exitCode = 1
}
