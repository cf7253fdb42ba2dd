/** Why a payload is refused: codes of the API that a sender gets, each with its fields. */
export type PayloadFault =
  | { readonly code: 'MISSING_HTTP_EVENT_HEADER'; readonly header: string }
  | { readonly code: 'ANOMALOUS_WEBHOOK_PAYLOAD' }
  | { readonly code: 'BAD_REQUEST' }

/** A payload that contradicts the form of its sender. Its message is for the sender and the bot's owner. */
export class PayloadError extends Error {
  readonly fault: PayloadFault

  constructor(message: string, fault: PayloadFault = { code: 'BAD_REQUEST' }) {
    super(message)
    this.fault = fault
  }
}

/** The header that names the event. Throws PayloadError if it is missing. */
export function eventHeader(headers: Readonly<Record<string, string | undefined>>, name: string): string {
  const value = headers[name.toLowerCase()]
  if (value === undefined || value === '')
    throw new PayloadError(`Missing the HTTP event header '${name}'`, {
      code: 'MISSING_HTTP_EVENT_HEADER',
      header: name,
    })
  return value
}
