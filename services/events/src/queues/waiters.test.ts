import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { keysOf } from '../redis/keys.ts'
import { textOfTakeover } from './takeover.ts'
import { startWaiters, type Waiters } from './waiters.ts'

const keys = keysOf('', 1)
const QUEUE = 'b4c1'
let waiters: Waiters
let tell: (message: string) => void
beforeEach(() => {
  waiters = startWaiters({
    subscribe: ({ onMessage }) => {
      tell = (message) => onMessage(keys.replica('here'), message)
      return { close: async () => {} }
    },
    keys,
    replicaId: 'here',
    onHandover: () => {},
    onTraces: () => {},
  })
})
afterEach(() => waiters.close())

const holdPoll = () => waiters.hold(QUEUE, Date.now() + 60_000)
/** What a held poll has been woken by; 'nothing' if it still waits. */
const wokenBy = async ({ wakening }: { wakening: Promise<{ kind: string }> }): Promise<string> => {
  const settled = await Promise.race([wakening, Promise.resolve({ kind: 'nothing' })])
  return settled.kind
}

describe('a poll that another replica has taken over', () => {
  test('ends', async () => {
    const hold = holdPoll()
    hold.numbered(5)
    tell(textOfTakeover(QUEUE, 6))

    expect(await wokenBy(hold)).toBe('end')
  })

  test('ends though that is heard before its own number is known', async () => {
    const hold = holdPoll()
    tell(textOfTakeover(QUEUE, 6))
    expect(await wokenBy(hold)).toBe('nothing')
    hold.numbered(5)

    expect(await wokenBy(hold)).toBe('end')
  })

  test('stays when it is itself newer than the one that took over', async () => {
    const hold = holdPoll()
    tell(textOfTakeover(QUEUE, 6))
    hold.numbered(7)
    tell(textOfTakeover(QUEUE, 5))

    expect(await wokenBy(hold)).toBe('nothing')
  })

  test('ends whatever its number when no poll is to be held any more', async () => {
    const hold = holdPoll()
    tell(textOfTakeover(QUEUE))

    expect(await wokenBy(hold)).toBe('end')
  })
})
