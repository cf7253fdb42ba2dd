import { generateKeyPairSync } from 'node:crypto'
import type { Command } from 'commander'
import { registerAction, type Terminal } from '../terminal/command-action.ts'

export function addPushRegistrationKey(program: Command, terminal: Terminal): void {
  const command = program
    .command('push-registration-key')
    .description(
      'make a pair of keys for encrypted notifications, and print the private one as a variable, the public one for the app',
    )
  registerAction(command, terminal, async () => {
    const { d = '', x = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
    const [privateKey, publicKey] = [d, x].map((part) => Buffer.from(part, 'base64url').toString('base64'))
    const keys = { PUSH_REGISTRATION_KEY: privateKey }
    return {
      json: { keys, public_key: publicKey },
      text: `PUSH_REGISTRATION_KEY=${privateKey}\nPublic key, to be built into the app: ${publicKey}`,
    }
  })
}
