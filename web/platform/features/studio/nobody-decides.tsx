import { Alert, Checkbox, Form } from 'antd'
import { useTexts } from '../../kernel/texts/texts.ts'

/** Table rows after which nobody decides, and the confirmation that this is intended. */
export function NobodyDecides({ rows }: { rows: readonly string[] }) {
  const { t } = useTexts()
  return (
    <>
      <Alert
        type="warning"
        showIcon
        title={t('platform.studio.nobody-decides')}
        description={
          <>
            <ul>
              {rows.map((row) => (
                <li key={row}>{row}</li>
              ))}
            </ul>
            {t('platform.studio.nobody-decides-two')}
          </>
        }
      />
      <Form.Item
        name="meant"
        valuePropName="checked"
        rules={[
          {
            validator: (_, meant) =>
              meant === true ? Promise.resolve() : Promise.reject(new Error(t('platform.field-required'))),
          },
        ]}
      >
        <Checkbox>{t('platform.studio.nobody-decides-meant')}</Checkbox>
      </Form.Item>
    </>
  )
}
