// Requests from a form or a button to the notebook's kernel.

// request: data from a notebook's file; Python gets it as one string and never runs it.
// mime: the type of the kernel's reply.
// again: what the learner should repeat after a failure, such as "choose".
// Resolves to the reply's data and the printed text.
export async function ask(kernel, request, mime, again) {
  if (!kernel || kernel.status === 'dead') {
    throw new Error(`Start the kernel (menu Kernel, Restart Kernel…), then ${again} again.`);
  }
  const argument = JSON.stringify(JSON.stringify(request)); // also a literal of Python
  const future = kernel.requestExecute({
    code: '',
    silent: true,
    store_history: false,
    user_expressions: {
      reply: `__import__("course_utils.checking.answering", fromlist=["answer"]).answer(${argument})`
    }
  });
  let printed = '';
  future.onIOPub = ({ header, content }) => {
    printed += header.msg_type === 'stream' ? content.text : '';
  };
  let content;
  try {
    ({ content } = await future.done);
  } catch {
    content = { status: 'aborted' };
  }
  const result = content.user_expressions?.reply;
  if (!result) {
    throw new Error(`The kernel stopped before it could answer. Wait a moment, then ${again} again.`);
  }
  if (result.ename === 'CourseError') {
    throw new Error(result.evalue);
  }
  if (!result.data?.[mime]) {
    throw new Error(
      `This notebook's kernel could not answer (${result.ename}: ${result.evalue}). Choose the ` +
        `kernel of the course (Kernel menu, Change Kernel), then ${again} again.`
    );
  }
  return { data: result.data, printed };
}
