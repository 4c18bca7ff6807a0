// Made by `npm run generate` out of students/document-submission.bpmn and its manifest. Not to be edited.

/** The names in the diagram of students/document-submission: element ids, messages, error codes, topics, states. */
export const documentSubmission = {
  flow: 'students/document-submission',
  process: 'document-submission',
  desks: {
    uploadDocuments: 'userTask_uploadDocuments',
    checkUploads: 'userTask_checkUploads',
    uploadAgain: 'userTask_uploadAgain',
  },
  events: {
    asked: 'startEvent_asked',
    collect: 'startEvent_collect',
    toldAsked: 'event_toldAsked',
    uploadLate: 'boundary_uploadLate',
    uploadRemindedAgain: 'endEvent_uploadRemindedAgain',
    boundary_uploadLapsed: 'boundary_uploadLapsed',
    endEvent_uploadLapsed: 'endEvent_uploadLapsed',
    collected: 'endEvent_collected',
    toldRejected: 'event_toldRejected',
    boundary_againLapsed: 'boundary_againLapsed',
    endEvent_againLapsed: 'endEvent_againLapsed',
    documentsApproved: 'endEvent_documentsApproved',
    boundary_collectWithdrawn: 'boundary_collectWithdrawn',
    endEvent_collectWithdrawn: 'endEvent_collectWithdrawn',
    boundary_collectLapsed: 'boundary_collectLapsed',
    endEvent_collectLapsed: 'endEvent_collectLapsed',
  },
  messages: { withdraw: 'message_withdraw' },
  errors: { lapsed: 'students.documents-lapsed' },
  topics: {
    platformSendMail: 'platform.send-mail',
    studentsListDocuments: 'students.list-documents',
    studentsNoteDocumentCheck: 'students.note-document-check',
    studentsNoteDocuments: 'students.note-documents',
    studentsReleaseDocuments: 'students.release-documents',
  },
  statuses: {
    status: {
      pendingUpload: 'Pending Upload',
      uploaded: 'Uploaded',
      rejected: 'Rejected',
      approved: 'Approved',
      lapsed: 'Lapsed',
    },
  },
} as const
