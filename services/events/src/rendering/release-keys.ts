interface Release {
  readonly version: string
  readonly featureLevel: number
  readonly mergeBase: string
}

/** Fields about the server in register and `restart`: under neutral names, and under those that existing clients read. */
export function releaseKeys({ version, featureLevel, mergeBase }: Release): Record<string, unknown> {
  return {
    zulip_version: version,
    zulip_feature_level: featureLevel,
    zulip_merge_base: mergeBase,
    service_version: version,
    service_feature_level: featureLevel,
    service_merge_base: mergeBase,
  }
}
