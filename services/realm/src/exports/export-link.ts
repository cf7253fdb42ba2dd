import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** Long enough for a list that a client keeps on the screen, short enough that a leaked link is of no use. */
const VALID_SECONDS = 86_400
const PURPOSE = 'link to an export'

/** Tokens that give anybody access to an archive for a day. */
export interface ExportLinks {
  tokenOf(exportId: number, now: Date): string
  isValid(exportId: number, token: string, now: Date): boolean
}

/** All replicas with the same secret accept each other's tokens. */
export function createExportLinks(secret: string): ExportLinks {
  const key = Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, 32))
  const sign = (exportId: number, until: string) =>
    createHmac('sha256', key).update(`${exportId} ${until}`).digest('base64url')
  return {
    tokenOf: (exportId, now) => {
      const until = String(Math.floor(now.getTime() / 1000) + VALID_SECONDS)
      return `${until}-${sign(exportId, until)}`
    },
    isValid: (exportId, token, now) => {
      const [, until = '', signature = ''] = /^(\d{1,12})-([\w-]{43})$/.exec(token) ?? []
      const isSigned = timingSafeEqual(
        Buffer.from(sign(exportId, until)),
        Buffer.from(signature.padEnd(43, '-')),
      )
      return isSigned && Number(until) * 1000 > now.getTime()
    },
  }
}
