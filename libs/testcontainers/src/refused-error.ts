/** What the API answered instead of doing it. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  /** Of HTTP. */
  readonly status: number
  /** Of the API, as `BAD_REQUEST`. */
  readonly code: string
  /** The whole answer. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(what: string, status: number, body: Record<string, unknown>) {
    const code = typeof body['code'] === 'string' ? body['code'] : ''
    const said = typeof body['msg'] === 'string' ? body['msg'] : JSON.stringify(body)
    super(`${what} was refused: ${said} (${[status, code].filter(Boolean).join(' ')})`)
    this.status = status
    this.code = code
    this.body = body
  }
}
