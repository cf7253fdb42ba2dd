import type { IncomingMessage } from 'node:http'

/** Calls `onWhole` with the body once all of it has come; never, if the client leaves before. The request says how long it is. */
export function collectBody(request: IncomingMessage, onWhole: (body: Buffer) => void): void {
  const chunks: Buffer[] = []
  const end = () => onWhole(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
  if (request.readableEnded) return end()
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.once('end', end)
}
