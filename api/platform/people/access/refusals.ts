import { BusinessError, type FieldError } from '../../kernel/errors.ts'
import { textOf } from '../../kernel/thrown.ts'

/** An entry does not fit the one it names, whose title the database gives. */
const doesNotFit = (error: unknown) =>
  new BusinessError('platform.item-does-not-fit', { item: textOf(error, 'detail') ?? '' })

/** Business errors for database constraints. Services check first; these cover concurrent requests. */
const byConstraint: Readonly<Record<string, (error: unknown) => BusinessError>> = {
  nobody_grants_to_themselves: () => new BusinessError('platform.own-grant'),
  nobody_appoints_themselves: () => new BusinessError('platform.own-grant'),
  role_needs_scope: () => invalid([{ field: '/scope', code: 'platform.scope-wanted' }]),
  post_holder_holds_a_post: () => invalid([{ field: '/role', code: 'platform.role-of-posts' }]),
  sees_all_everywhere: () => invalid([{ field: '/scope', code: 'platform.scope-unwanted' }]),
  grant_once: () => new BusinessError('platform.grant-overlaps'),
  post_one_holder: () => new BusinessError('platform.post-taken'),
  post_one_acting: () => new BusinessError('platform.post-taken'),
  item_quantity_kept: () => invalid([{ field: '/quantity', code: 'platform.item-quantity-lent' }]),
  item_places_kept: (error) =>
    invalid([{ field: `/${textOf(error, 'column') ?? ''}`, code: 'platform.item-places-taken' }]),
  item_no_circle: () => invalid([{ field: '/parent', code: 'platform.item-circle' }]),
  owners_stay: () => new BusinessError('platform.owners-stay'),
  owners_by_administrators: () => new BusinessError('platform.owners-chosen'),
  entry_frozen: (error) => new BusinessError('platform.item-frozen', { by: textOf(error, 'detail') ?? '' }),
  entry_ended_with: () => new BusinessError('platform.item-ended'),
  reference_agrees: doesNotFit,
  reference_another: (error) => invalid([{ field: textOf(error, 'column') ?? '', code: 'platform.names-itself' }]),
  reference_earlier: doesNotFit,
  reference_not_later: doesNotFit,
  reference_listed: doesNotFit,
  entry_agreed: (error) => new BusinessError('platform.item-needed-so', { by: textOf(error, 'detail') ?? '' }),
  hostel_bed_once: () => invalid([{ field: '/bed', code: 'platform.value-taken' }]),
  hostel_student_once: () => invalid([{ field: '/student', code: 'platform.value-taken' }]),
  hostel_bed_of_room: doesNotFit,
  hostel_room_keeps_beds: (error) =>
    new BusinessError('platform.item-needed-so', { by: textOf(error, 'detail') ?? '' }),
  student_keeps_stage: () => invalid([{ field: '/programme', code: 'platform.item-role-stays' }]),
  entry_of_case: (error) => new BusinessError('platform.item-of-case', { case: textOf(error, 'detail') ?? '' }),
  entry_led_by_case: () => new BusinessError('platform.item-led'),
  stock_first_expired_first: () => new BusinessError('platform.stock-changed'),
  stock_waiting_not_issued: () => new BusinessError('platform.stock-changed'),
  stock_not_expired: () => new BusinessError('platform.stock-not-usable'),
  stock_batch_usable: () => new BusinessError('platform.stock-not-usable'),
  stock_reduction_one_open: () => new BusinessError('platform.stock-reduction-waits'),
  stock_reduction_needs_another: () => new BusinessError('platform.stock-needs-another'),
  opens_not_ones_own: () => new BusinessError('platform.own-record-stays-closed'),
  seals_not_ones_own: () => new BusinessError('platform.own-record-stays-closed'),
  an_administrator_is_left: () => new BusinessError('platform.last-administrator'),
}

/** Runs a database action including its commit; a constraint violation becomes a business error. */
export async function translateViolations<T>(
  act: () => Promise<T>,
  more: Readonly<Record<string, () => BusinessError>> = {},
): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const refusal = { ...byConstraint, ...more }[textOf(error, 'constraint') ?? '']
    throw refusal?.(error) ?? error
  }
}

/** An error that lists the wrong fields. */
export function invalid(fields: FieldError[]): BusinessError {
  return new BusinessError('platform.form-invalid', {}, fields)
}
