import { isPortFree, pickFreePort } from '../process/free-port.ts'
import { readJson, writePrivateJson } from '../process/private-file.ts'

const PREFERRED_PORT = 9991

/**
 * The wanted port, which must be free; otherwise the one of the last start, 9991, or any free one. The next start
 * uses the same.
 */
export async function chooseGatewayPort(wanted: number | undefined, memoryPath: string): Promise<number> {
  if (wanted !== undefined) {
    if (!(await isPortFree(wanted))) throw new Error(`port ${wanted} is taken: choose another with --port`)
    return remember(wanted, memoryPath)
  }
  const remembered = (readJson(memoryPath) as { port?: number } | null)?.port
  for (const port of [remembered, PREFERRED_PORT]) {
    if (port !== undefined && (await isPortFree(port))) return remember(port, memoryPath)
  }
  return remember(await pickFreePort(), memoryPath)
}

function remember(port: number, memoryPath: string): number {
  writePrivateJson(memoryPath, { port })
  return port
}
