import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { confirm, confirmByName } from './confirm.ts'

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

describe('a confirmation by name', () => {
  const run = async (typed: string, given: string | null = null, isTTY = true) => {
    const stdin = Object.assign(new PassThrough(), { isTTY })
    stdin.end(typed)
    let printed = ''
    const stderr = { write: (text: string) => (printed += text) }
    const outcome = await confirmByName({ stdin, stderr }, 'Delete?', 'Sales & more', given).then(
      () => 'confirmed',
      ({ message }: Error) => message,
    )
    return { outcome, printed }
  }

  test('accepts the name alone', async () => {
    expect(await run('Sales & more\n')).toEqual({
      outcome: 'confirmed',
      printed: 'Delete? Type its name to confirm: ',
    })
    for (const typed of ['sales & more\n', 'Sales\n', 'yes\n', '\n', ''])
      expect((await run(typed)).outcome).toContain('nothing was changed')
  })

  test('does not ask if the name is given, and refuses another', async () => {
    expect(await run('', 'Sales & more', false)).toEqual({ outcome: 'confirmed', printed: '' })
    expect((await run('', 'Sales', false)).outcome).toContain('nothing was changed')
  })

  test('fails without a terminal', async () => {
    expect(await run('Sales & more\n', null, false)).toEqual({
      outcome: expect.stringContaining('--confirm'),
      printed: '',
    })
  })
})
