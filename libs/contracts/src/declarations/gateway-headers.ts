/** Headers between gateway and services, which clients neither set nor see. */
export const gatewayHeaders = {
  /** Of a call over its caller's limit: how many calls a minute the caller may make. */
  overCallLimit: 'x-over-call-limit',
  /** Of a call from a gateway that passes on or inflates an answer in gzip. */
  takesGzip: 'x-takes-gzip',
  /** Of an answer in gzip: the length of its body in bytes when inflated. */
  inflatedLength: 'x-inflated-length',
} as const
