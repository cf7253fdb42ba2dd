import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { confirm } from './confirm.ts'

/** Asks for confirmation at a terminal where the user types `typed`. */
async function runConfirm(typed: string, { isTTY = true, isConfirmed = false } = {}) {
  const stdin = Object.assign(new PassThrough(), { isTTY })
  stdin.end(typed)
  let printed = ''
  const stderr = { write: (text: string) => (printed += text) }
  const outcome = await confirm({ stdin, stderr }, 'Really?', isConfirmed).then(
    () => 'confirmed',
    ({ message }: Error) => message,
  )
  return { outcome, printed }
}

describe('a confirmation prompt', () => {
  test.each(['y\n', 'yes\n', 'YES\n', ' y \n'])('accepts %j', async (typed) => {
    expect(await runConfirm(typed)).toEqual({ outcome: 'confirmed', printed: 'Really? [y/N] ' })
  })

  test.each(['\n', 'n\n', 'yesterday\n', ''])('rejects %j', async (typed) => {
    expect((await runConfirm(typed)).outcome).toBe('Cancelled; nothing was changed.')
  })

  test('is skipped if the command was confirmed by --yes', async () => {
    expect(await runConfirm('', { isConfirmed: true })).toEqual({ outcome: 'confirmed', printed: '' })
  })

  test('fails without a terminal', async () => {
    const { outcome, printed } = await runConfirm('yes\n', { isTTY: false })
    expect({ outcome, printed }).toEqual({ outcome: expect.stringContaining('--yes'), printed: '' })
  })
})
