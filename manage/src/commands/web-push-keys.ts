import { createECDH } from 'node:crypto'
import type { Command } from 'commander'
import { registerAction, type Terminal } from '../terminal/command-action.ts'

const PRIVATE_KEY_BYTES = 32

export function addWebPushKeys(program: Command, terminal: Terminal): void {
  const command = program
    .command('web-push-keys')
    .description('make a pair of keys for Web Push (VAPID), and print it as variables')
  registerAction(command, terminal, async () => {
    const pair = createECDH('prime256v1')
    const publicKey = pair.generateKeys('base64url')
    // The leading zeros of a number are left out, and must not be missing from a key.
    const number = pair.getPrivateKey()
    const padding = Buffer.alloc(PRIVATE_KEY_BYTES - number.length)
    const privateKey = Buffer.concat([padding, number]).toString('base64url')
    const keys = { WEB_PUSH_PUBLIC_KEY: publicKey, WEB_PUSH_PRIVATE_KEY: privateKey }
    return {
      json: { keys },
      text: Object.entries(keys)
        .map(([name, value]) => `${name}=${value}`)
        .join('\n'),
    }
  })
}
