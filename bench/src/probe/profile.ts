import { writeFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'

/** Samples the CPU of this process; the returned function stops that and writes the samples to a file. */
export async function startProfile(): Promise<(path: string) => Promise<void>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 500 })
  await session.post('Profiler.start')
  return async (path) => {
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    await writeFile(path, JSON.stringify(profile))
  }
}
