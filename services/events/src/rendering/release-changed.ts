import { domainEvents } from '@tms/contracts'
import { cached, fieldsOf, present } from './presentation.ts'
import { releaseKeys } from './release-keys.ts'

/** `restart`: the server's release differs from the one that was published to clients before. */
export const presentReleaseChanged = present(domainEvents.events.releaseChanged, {
  list: () => [{ index: 0, type: 'restart' }],
  write: ({ version, feature_level, merge_base, generation }, _index, _queue, cache) =>
    cached(cache, 'restart', () =>
      fieldsOf({
        type: 'restart',
        ...releaseKeys({ version, featureLevel: feature_level, mergeBase: merge_base }),
        server_generation: generation,
      }),
    ),
})
