export { compilePattern, MATCH_GROUP } from './compile-pattern.ts'
export { findLinkifierFaults, type LinkifierFaults } from './linkifier-faults.ts'
export { templateVariables } from './template-variables.ts'
