import type { FeatureLevel } from './feature-level.ts'
import { featureLevelsTo320 } from './feature-levels-to-320.ts'
import { featureLevelsTo371 } from './feature-levels-to-371.ts'

/** The levels that this server is to reach, each once, ascending. */
export const featureLevels: readonly FeatureLevel[] = [...featureLevelsTo320, ...featureLevelsTo371]
