import { EventEmitter } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { listenForInterruption } from './interruption.ts'

function listening() {
  const terminal = new EventEmitter()
  const heard: string[] = []
  const started = listenForInterruption({ on: terminal.on.bind(terminal), off: terminal.off.bind(terminal) })
  void started.interrupted.then(() => heard.push('interrupted'))
  void started.again.then(() => heard.push('again'))
  /** Presses, and waits until everyone has heard of it. */
  const press = async (afterMs: number) => {
    vi.setSystemTime(Date.now() + afterMs)
    terminal.emit('SIGINT')
    await new Promise(setImmediate)
    return [...heard]
  }
  const listeners = () => terminal.listenerCount('SIGINT') + terminal.listenerCount('SIGTERM')
  return { ...started, listeners, press }
}

describe('an interruption', () => {
  test('may come twice for one key press; a later one is another', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    const { signal, press, stop, listeners } = listening()

    expect(signal.aborted).toBe(false)
    expect(await press(0)).toEqual(['interrupted'])
    expect(signal.aborted).toBe(true)
    expect(await press(50)).toEqual(['interrupted'])
    expect(await press(2_000)).toEqual(['interrupted', 'again'])
    stop()
    // As its echo would end the process while it prints.
    expect(listeners()).toBe(2)
    vi.advanceTimersByTime(1_000)
    expect(listeners()).toBe(0)
    vi.useRealTimers()
  })

  test('that never came is not listened for any more once the command has ended', () => {
    const { stop, listeners } = listening()

    expect(listeners()).toBe(2)
    stop()
    expect(listeners()).toBe(0)
  })
})
