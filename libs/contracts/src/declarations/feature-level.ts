/**
 * What each level of the API after 275 changed, and whether this server does it. Clients compare one number with the levels
 * that they know, so `serverVersion.featureLevel` may reach a level only when every level up to it is declared here.
 */
export interface FeatureLevel {
  readonly level: number
  readonly change: string
  /**
   * - `built`: a test shows it.
   * - `not needed`: nothing of it concerns this server, for the reason in `note`.
   * - `refused`: this server does otherwise on purpose; `decision` says why, `note` what, and a test shows that.
   */
  readonly state: 'built' | 'not needed' | 'refused'
  /** Why it isn't needed; or what is different here. */
  readonly note?: string
  /** Path of the decision against it, if it is refused. */
  readonly decision?: string
  /** The file and the name of a test that shows it, of built and refused levels. */
  readonly test?: readonly [path: string, name: string]
}

export const built = (
  level: number,
  change: string,
  ...test: [path: string, name: string]
): FeatureLevel => ({
  level,
  change,
  state: 'built',
  test,
})
export const notNeeded = (level: number, change: string, note: string): FeatureLevel => ({
  level,
  change,
  state: 'not needed',
  note,
})
export const refused = (
  level: number,
  change: string,
  { note, decision, test }: Required<Pick<FeatureLevel, 'note' | 'decision' | 'test'>>,
): FeatureLevel => ({ level, change, state: 'refused', note, decision, test })
export const RESERVED = 'Changes nothing.'
