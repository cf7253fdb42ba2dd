// The Secret: from the chart's values, or fetched from a store by the external secrets operator.
import { listKeys } from './settings.mjs'
import { labelsOf } from './targets.mjs'

/**
 * Creates the Secret before the migrations, which read it, and restores it before a rollback. Helm recreates it each time, and
 * leaves it when the release is removed.
 */
const BEFORE_MIGRATIONS = {
  'helm.sh/hook': 'pre-install,pre-upgrade,pre-rollback',
  'helm.sh/hook-weight': '-10',
  'helm.sh/hook-delete-policy': 'before-hook-creation',
}

/** Creates the Secret from an entry of a store, whose properties are named like the keys. */
export function externalSecret(settingsByService, target) {
  const at = (key) => target.value(`secrets.external.${key}`)
  const required = listKeys(settingsByService, 'secret').filter(({ isRequired }) => isRequired)
  return {
    apiVersion: 'external-secrets.io/v1',
    kind: 'ExternalSecret',
    metadata: {
      name: target.secrets,
      labels: labelsOf(target, 'secrets', 'prepare'),
      annotations: target.hook(BEFORE_MIGRATIONS),
    },
    spec: {
      refreshInterval: at('refreshInterval'),
      secretStoreRef: { name: at('storeName'), kind: at('storeKind') },
      // Helm recreates this object at every upgrade; the Secret remains meanwhile.
      target: { name: target.secrets, creationPolicy: 'Orphan' },
      dataFrom: [{ extract: { key: at('key') } }],
      // Listed as well, so that an entry without one of them is an error and leaves the Secret unchanged.
      data: required.map(({ key }) => ({
        secretKey: key,
        remoteRef: { key: at('key'), property: key },
      })),
    },
  }
}

/** The Secret, from the chart's values; an overlay of kustomize generates its own. */
export function secretFromValues(target) {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: target.secrets,
      labels: labelsOf(target, 'secrets', 'prepare'),
      annotations: target.hook(BEFORE_MIGRATIONS),
    },
    type: 'Opaque',
    stringData: target.value('secrets.values'),
  }
}
