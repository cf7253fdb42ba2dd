import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stopLeftover } from '../process/pid-file.ts'
import { writePrivateJson } from '../process/private-file.ts'
import { loadInstanceSettings, portOf } from '../servers/instance-settings.ts'
import type { Example } from './example.ts'
import { startExampleProcess } from './example-process.ts'
import { rolesByPosition } from './people.ts'
import { createSelfSignedCertificate } from './saml-provider/self-signed-certificate.ts'
import type { SamlProviderSettings } from './saml-provider/settings.ts'

const NAME = 'example-saml-provider'
const STOP_TIMEOUT_MS = 10_000
const DISPLAY_NAME = 'Example SAML provider'

/** A provider of SAML at which the people sign in. */
export const samlExample: Example = {
  // A package of this workspace.
  prepare: async () => {},

  async start(context) {
    const { dataDir, chatUrl, people, password } = context
    // First, because a process that a crashed start left behind still uses the stored port.
    await stopLeftover(join(dataDir, `${NAME}.pid`), 'SIGTERM', STOP_TIMEOUT_MS)
    const settings = await loadInstanceSettings(dataDir, NAME, ['main'])
    const port = portOf(settings, 'main')
    // The host of the chat: with a form of another site browsers send no cookie without HTTPS.
    const url = `http://localhost:${port}`
    const now = new Date()
    const [key, own] = ['Example provider', 'Example chat'].map((name) =>
      createSelfSignedCertificate(name, now),
    )
    if (!key || !own) throw new Error('no keys')
    const path = join(dataDir, NAME, 'settings.json')
    const site = {
      ...{ entityId: chatUrl, answerUrl: `${chatUrl}/complete/saml/`, certificate: own.certificate },
    }
    // A file rather than arguments, which every user of the machine can read.
    writePrivateJson(path, { url, port, key, site, people, password } satisfies SamlProviderSettings)
    return {
      process: await startExampleProcess(
        {
          ...{ name: NAME, title: 'the SAML provider', command: process.execPath, port },
          args: [fileURLToPath(new URL('./saml-provider/main.js', import.meta.url)), path],
        },
        context,
      ),
      signOn: {
        saml: { private_key: own.privateKey, certificate: own.certificate },
        providers: [providerSettings(url, key.certificate)],
      },
      hint: `choose “${DISPLAY_NAME}” at the log-in page, then enter user name and password there`,
    }
  },
}

const providerSettings = (url: string, certificate: string) => ({
  ...{ kind: 'saml', name: 'example', display_name: DISPLAY_NAME, certificates: [certificate] },
  ...{ entity_id: `${url}/metadata`, sso_url: `${url}/sso`, slo_url: `${url}/slo` },
  // It doesn't leave the machine.
  allow_unencrypted: true,
  auto_signup: true,
  attributes: { email: 'email', first_name: 'firstName', last_name: 'lastName' },
  roles: { attribute: 'position', values: rolesByPosition },
})
