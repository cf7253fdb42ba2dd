import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stopLeftover } from '../process/pid-file.ts'
import { writePrivateJson } from '../process/private-file.ts'
import { loadInstanceSettings, portOf } from '../servers/instance-settings.ts'
import type { Example } from './example.ts'
import { startExampleProcess } from './example-process.ts'
import type { ProviderSettings } from './openid-provider/settings.ts'
import { rolesByPosition } from './people.ts'

const NAME = 'example-provider'
const STOP_TIMEOUT_MS = 10_000

/** A provider of OpenID Connect at which the people sign in. */
export const openIdExample: Example = {
  // A package of this workspace.
  prepare: async () => {},

  async start(context) {
    const { dataDir, chatUrl, people, password } = context
    // First, because a process that a crashed start left behind still uses the stored port.
    await stopLeftover(join(dataDir, `${NAME}.pid`), 'SIGTERM', STOP_TIMEOUT_MS)
    const settings = await loadInstanceSettings(dataDir, NAME, ['main'])
    const port = portOf(settings, 'main')
    // Not `localhost`, whose cookies the chat's pages would get too.
    const issuer = `http://127.0.0.1:${port}`
    const client = { id: 'chat', secret: settings.password, redirectUri: `${chatUrl}/complete/oidc/` }
    const path = join(dataDir, NAME, 'settings.json')
    const cookieKey = randomBytes(32).toString('hex')
    // A file rather than arguments, which every user of the machine can read.
    writePrivateJson(path, {
      issuer,
      port,
      client,
      people,
      password,
      cookieKey,
    } satisfies ProviderSettings)
    return {
      process: await startExampleProcess(
        {
          ...{ name: NAME, title: 'the OpenID provider', command: process.execPath, port },
          args: [fileURLToPath(new URL('./openid-provider/main.js', import.meta.url)), path],
        },
        context,
      ),
      signOn: { providers: [clientSettings(issuer, client)] },
      hint: `choose “${DISPLAY_NAME}” at the log-in page, then enter user name and password there`,
    }
  },
}

const DISPLAY_NAME = 'Example provider'

const clientSettings = (issuer: string, { id, secret }: { id: string; secret: string }) => ({
  ...{ kind: 'oidc', issuer, client_id: id, client_secret: secret, display_name: DISPLAY_NAME },
  // It doesn't leave the machine.
  allow_unencrypted: true,
  auto_signup: true,
  roles: { attribute: 'position', values: rolesByPosition },
})
