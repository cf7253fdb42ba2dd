import { stringify } from 'yaml'

/** Kubernetes and Helm read YAML 1.1, in which `off` is a flag. */
export const YAML_OPTIONS = {
  compat: 'yaml-1.1',
  lineWidth: 0,
  singleQuote: true,
  aliasDuplicateObjects: false,
} as const

/** A YAML document, or several. Undefined properties are left out. */
export function toYaml(...values: unknown[]): string {
  return values.map((value) => stringify(value, YAML_OPTIONS)).join('---\n')
}
