import { describe, expect, test, vi } from 'vitest'
import { deleteFiles } from './delete-files.ts'
import { type DeletionStep, runDeletion } from './run-deletion.ts'

/** A step that deletes rows by so many at a time, and notes each time. */
const stepOf =
  (rows: { left: number }, batch: number, log: string[], name: string): DeletionStep<object> =>
  async () => {
    const count = Math.min(batch, rows.left)
    rows.left -= count
    log.push(`${name} ${count}`)
    return count
  }

describe('the deletion of an organization', () => {
  test('repeats each step until it finds nothing, one after the other', async () => {
    const log: string[] = []
    const steps = [stepOf({ left: 5 }, 2, log, 'messages'), stepOf({ left: 1 }, 2, log, 'channels')]

    expect(await runDeletion(steps, {}, 7)).toEqual({ deleted: 6, is_done: true })
    expect(log).toEqual(['messages 2', 'messages 2', 'messages 1', 'messages 0', 'channels 1', 'channels 0'])
  })

  test('ends after some seconds, and goes on when it is run again', async () => {
    vi.useFakeTimers()
    try {
      const rows = { left: 3 }
      const slow: DeletionStep<object> = async () => {
        vi.advanceTimersByTime(2_000)
        rows.left -= 1
        return rows.left < 0 ? 0 : 1
      }

      expect(await runDeletion([slow], {}, 7)).toEqual({ deleted: 2, is_done: false })
      expect(await runDeletion([slow], {}, 7)).toEqual({ deleted: 1, is_done: true })
    } finally {
      vi.useRealTimers()
    }
  })

  test('deletes the files below prefixes, in batches, and no others', async () => {
    const files = new Set([
      'avatars/70/a',
      'icons/7/b',
      ...Array.from({ length: 1_203 }, (_, at) => `avatars/7/${at}`),
    ])
    const blobs = {
      list: async function* (prefix: string) {
        yield* [...files].filter((name) => name.startsWith(prefix))
      },
      delete: async (name: string) => void files.delete(name),
    }
    const step = deleteFiles((realmId) => [`avatars/${realmId}/`, `icons/${realmId}/`])

    expect([await step({ blobs }, 7), await step({ blobs }, 7), await step({ blobs }, 7)]).toEqual([
      1_000, 204, 0,
    ])
    expect([...files]).toEqual(['avatars/70/a'])
  })
})
