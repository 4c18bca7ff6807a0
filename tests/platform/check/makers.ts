import { databaseTypes } from '../../../api/platform/edge/commands/generate-database-types.ts'
import { apiClient } from '../../../api/platform/edge/server/generate.ts'
import { constants } from '../../../api/platform/model/bpmn/generate.ts'
import { topics } from '../../../workers/generate.ts'
import type { Maker } from './generated.ts'

/** The generators, in an order in which none needs a later one: workers may import the constants. */
export const makers: readonly Maker[] = [constants, topics, apiClient, databaseTypes]
