/**
 * Whether a request may be sent again after its connection was lost. The service may have executed a request that it
 * never answered, so only requests that change nothing are repeated; one that was never sent may always go elsewhere.
 */
export function mayResend(method: string | undefined, wasSent: boolean): boolean {
  return !wasSent || method === 'GET' || method === 'HEAD'
}
