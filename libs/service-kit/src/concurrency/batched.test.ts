import { describe, expect, test } from 'vitest'
import { Batched } from './batched.ts'

/** An attempt that the test ends. */
function anAttempt() {
  const running: { resolve: (value: number) => void; reject: (err: Error) => void }[] = []
  const batched = new Batched<number>(
    () => new Promise((resolve, reject) => void running.push({ resolve, reject })),
  )
  return { running, batched }
}

describe('batched attempts', () => {
  test('callers during an attempt share the next one', async () => {
    const { running, batched } = anAttempt()
    const first = batched.run()
    const second = batched.run()
    const third = batched.run()
    expect(running).toHaveLength(1)

    running[0]?.resolve(1)
    expect(await first).toBe(1)
    expect(running).toHaveLength(2)
    running[1]?.resolve(2)
    expect(await Promise.all([second, third])).toEqual([2, 2])
  })

  test('a failed attempt fails only the callers before it', async () => {
    const { running, batched } = anAttempt()
    const first = batched.run()
    const second = batched.run()
    running[0]?.reject(new Error('no'))
    await expect(first).rejects.toThrow('no')
    running[1]?.resolve(2)
    expect(await second).toBe(2)
    await batched.idle()
    void batched.run()
    expect(running).toHaveLength(3)
  })
})
