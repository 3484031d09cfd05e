# The course in a container: site/guides/other_ways.md says how to run it.
#
#   docker build -t course .                              for learners
#   docker build -t course-grading --target instructor .  for instructors

FROM debian:bookworm-slim AS python
RUN apt-get update \
    && apt-get install -y --no-install-recommends python3 tini \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 --shell /bin/bash learner
ENV LANG=C.UTF-8

# What .devcontainer uses as well, to work on the course itself.
FROM python AS develop
RUN apt-get update \
    && apt-get install -y --no-install-recommends g++ git make python3-dev python3-venv \
    && rm -rf /var/lib/apt/lists/*

FROM develop AS build
# The small build of PyTorch for the CPU. For real GPUs: --build-arg TORCH=pip
ARG TORCH=cpu
WORKDIR /opt/course
COPY . .
RUN python3 -m venv /opt/venv \
    && PIP_NO_CACHE_DIR=1 /opt/venv/bin/python install.py \
        -e ./packages/exercise_kit -e ./packages/virtual_cuda -e ".[cluster,postgresql]" \
    # Without a compiler, virtual GPUs work as well, only slower; CUDA builds have no use for it.
    && mkdir -p /root/.cache/virtual_cuda \
    && { /opt/venv/bin/python -m virtual_cuda compile || true; }

FROM python AS course
COPY --from=build /opt /opt
COPY --from=build --chown=learner:learner /root/.cache/virtual_cuda /home/learner/.cache/virtual_cuda
RUN chown learner:learner /home/learner/.cache
ENV PATH=/opt/venv/bin:$PATH
USER learner
EXPOSE 8888
HEALTHCHECK --start-period=60s CMD ["python", "-c", \
    "from urllib.request import urlopen; urlopen('http://127.0.0.1:8888/api', timeout=5)"]
ENTRYPOINT ["tini", "--"]

FROM course AS instructor
# An nbgrader course of your own, in the volume: the first start puts the assignments there.
RUN mkdir /home/learner/grading
WORKDIR /home/learner/grading
VOLUME /home/learner/grading
CMD ["sh", "-c", "test -e nbgrader_config.py \
    || cp -R /opt/course/assignments/source /opt/course/assignments/nbgrader_config.py . ; \
    exec jupyter lab --ip=0.0.0.0 --no-browser"]

FROM course AS learner
ENV COURSE_WORKSPACE=/home/learner/workspace
RUN mkdir /home/learner/workspace
WORKDIR /home/learner/workspace
VOLUME /home/learner/workspace
CMD ["course", "lab", "--ip=0.0.0.0", "--no-browser"]
