interface Readiness {
  readonly status: number
  readonly missing: Readonly<Record<string, string>>
  readonly degraded: Readonly<Record<string, string>>
}

/** The readiness of a replica. */
export async function readinessOf(url: string): Promise<Readiness> {
  const response = await fetch(`${url}/health/ready`)
  const body = (await response.json()) as Partial<Readiness>
  return { status: response.status, missing: body.missing ?? {}, degraded: body.degraded ?? {} }
}
