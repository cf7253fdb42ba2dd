/**
 * Whether a request may be sent once more after its connection was lost. A service may have done what it
 * never got to answer, so only what changes nothing is repeated; what never left may always go elsewhere.
 */
export function mayResend(method: string | undefined, wasSent: boolean): boolean {
  return !wasSent || method === 'GET' || method === 'HEAD'
}
