import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SignatureScheme } from '../kernel/integration.ts'

/** Compares two texts in a time that doesn't say where they differ. */
export function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** HMAC-SHA256 of the body as hexadecimal digits, after a prefix such as `sha256=`. */
export function hmacOfBody(header: string, prefix = ''): SignatureScheme {
  return {
    header,
    verify: (signed) => {
      const digest = createHmac('sha256', signed.secret).update(signed.body).digest('hex')
      return isEqual(signed.header, `${prefix}${digest}`)
    },
  }
}

/** The secret itself. */
export const secretInHeader = (header: string): SignatureScheme => ({
  header,
  verify: (signed) => isEqual(signed.header, signed.secret),
})

/** HMAC-SHA256 of the body among `v1=…,v1=…`: a sender signs with two secrets while one is being replaced. */
export const hmacAmong = (header: string, version: string): SignatureScheme => ({
  header,
  verify: (signed) => {
    const digest = createHmac('sha256', signed.secret).update(signed.body).digest('hex')
    return valuesOf(signed.header, version).some((value) => isEqual(value, digest))
  },
})

/** Enough for clocks and slow networks, too little for a recorded request to be of use later. */
const TOLERANCE_SECONDS = 300

/** HMAC-SHA256 of a time, a dot and the body, as `t=…,v1=…`. Refuses what is too old or from the future. */
export const hmacWithTime = (header: string): SignatureScheme => ({
  header,
  verify: (signed) => {
    const [time = ''] = valuesOf(signed.header, 't')
    const age = signed.now.getTime() / 1000 - Number(time)
    if (!/^\d+$/.test(time) || Math.abs(age) > TOLERANCE_SECONDS) return false
    const digest = createHmac('sha256', signed.secret).update(`${time}.`).update(signed.body).digest('hex')
    return valuesOf(signed.header, 'v1').some((value) => isEqual(value, digest))
  },
})

/** Values of a name in `name=value,name=value`. */
const valuesOf = (header: string, name: string): readonly string[] =>
  header.split(',').flatMap((part) => {
    const [key = '', ...value] = part.trim().split('=')
    return key === name ? [value.join('=')] : []
  })
